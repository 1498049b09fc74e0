/** The kit is red on backends that are broken in one place each. */
@NullMarked
package org.relaxvm.backendtestkit.broken;

import org.jspecify.annotations.NullMarked;
