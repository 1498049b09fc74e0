@NullMarked
package org.relaxvm.testsupport;

import org.jspecify.annotations.NullMarked;
