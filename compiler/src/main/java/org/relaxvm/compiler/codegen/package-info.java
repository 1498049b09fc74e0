/**
 * From lowered programs to what runs: {@link org.relaxvm.compiler.codegen.CodeGenVM} makes bytecode
 * of functions over tensors, {@code CodeGenVMTIR} compiled functions, {@link
 * org.relaxvm.compiler.codegen.ProgramBuilder} puts it together with kernels and a description. Not
 * here: code of kernels, which devices make.
 *
 * <p>Source: docs/spec/vm-codegen.md.
 */
@NullMarked
package org.relaxvm.compiler.codegen;

import org.jspecify.annotations.NullMarked;
