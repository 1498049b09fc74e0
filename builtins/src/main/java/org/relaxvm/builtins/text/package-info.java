/** Values as texts in the way of Python and NumPy, for the builtins that print and assert. */
@NullMarked
package org.relaxvm.builtins.text;

import org.jspecify.annotations.NullMarked;
