/** Programs run by tests in processes of their own. */
@NullMarked
package org.relaxvm.integrationtests.process;

import org.jspecify.annotations.NullMarked;
