/** Tests of reading parameters, on directories that they write themselves. */
@NullMarked
package org.relaxvm.builtins.params;

import org.jspecify.annotations.NullMarked;
