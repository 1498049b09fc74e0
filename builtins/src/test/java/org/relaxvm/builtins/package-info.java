/** Tests of the builtins; those of a family follow the vectors of the builtins specification. */
@NullMarked
package org.relaxvm.builtins;

import org.jspecify.annotations.NullMarked;
