/** Rules on the source: who may depend on whom, and how large things may grow. */
@NullMarked
package org.relaxvm.integrationtests.rules;

import org.jspecify.annotations.NullMarked;
