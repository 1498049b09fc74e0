/** Operators recognised in the composites of which models write them. */
@NullMarked
package org.relaxvm.compiler.pass.recognize;

import org.jspecify.annotations.NullMarked;
