/** Tests of the package of the same name. */
@NullMarked
package org.relaxvm.compiler.pass.memory;

import org.jspecify.annotations.NullMarked;
