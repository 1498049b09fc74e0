/** Tests of the package of the same name. */
@NullMarked
package org.relaxvm.compiler.pass.fuse;

import org.jspecify.annotations.NullMarked;
