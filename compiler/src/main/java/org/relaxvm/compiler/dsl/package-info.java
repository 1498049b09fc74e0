/**
 * What models are written with: {@link org.relaxvm.compiler.dsl.ModuleBuilder} and the operators of
 * {@link org.relaxvm.compiler.dsl.Ops} and {@link org.relaxvm.compiler.dsl.NnOps}. {@link
 * org.relaxvm.compiler.dsl.StandardOps} lists all operators by name, for texts.
 */
@NullMarked
package org.relaxvm.compiler.dsl;

import org.jspecify.annotations.NullMarked;
