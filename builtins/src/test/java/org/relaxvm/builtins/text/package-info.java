/** Tests of the texts; expected values are NumPy's. */
@NullMarked
package org.relaxvm.builtins.text;

import org.jspecify.annotations.NullMarked;
