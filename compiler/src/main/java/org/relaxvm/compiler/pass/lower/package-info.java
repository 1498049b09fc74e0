/**
 * Passes that bring a program from dataflow to what the VM does: no dataflow blocks, no rules about
 * effects, builtins instead of operators, symbolic extents in a heap of numbers. The last step,
 * bytecode, is in {@code org.relaxvm.compiler.codegen}; memory is in {@code
 * org.relaxvm.compiler.pass.memory}.
 *
 * <p>{@link org.relaxvm.compiler.pass.lower.VMShapeLower} is the largest; its parts are {@code
 * ShapeSlots}, {@code ShapeMatching} and {@code TypeChecks}. Source: docs/spec/passes.md, sections
 * 8 and 11 to 14.
 */
@NullMarked
package org.relaxvm.compiler.pass.lower;

import org.jspecify.annotations.NullMarked;
