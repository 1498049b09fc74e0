/**
 * Relax IR: a module of functions over tensors, as Apache TVM has it. {@link
 * org.relaxvm.compiler.ir.IRModule} and {@link org.relaxvm.compiler.ir.Expr} are where to start
 * reading. Not here: what operators there are ({@code org.relaxvm.compiler.op}), and how programs
 * are built ({@code org.relaxvm.compiler.builder}).
 *
 * <p>Source: docs/spec/relax-ir.md, section 5.
 */
@NullMarked
package org.relaxvm.compiler.ir;

import org.jspecify.annotations.NullMarked;
