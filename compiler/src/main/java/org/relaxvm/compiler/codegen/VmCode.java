package org.relaxvm.compiler.codegen;

import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * What code generation makes of a program.
 *
 * @param executable bytecode of all functions over tensors; its constants are those of the program,
 *     borrowed
 * @param kernels the kernels of the program, in its order, which the executable calls by name
 * @param sourceNodes the nodes of an imported model that instructions were made from
 */
public record VmCode(Executable executable, List<PrimFunc> kernels, SourceNodes sourceNodes) {
  /** Copies the list. */
  public VmCode {
    kernels = List.copyOf(kernels);
  }
}
