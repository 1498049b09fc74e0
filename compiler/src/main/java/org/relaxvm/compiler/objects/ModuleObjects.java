package org.relaxvm.compiler.objects;

import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.wellformed.WellFormed;

/**
 * Modules as objects of Apache TVM 0.26, and back.
 *
 * <p>A module that is read and written again is structurally equal to the original except for:
 * targets of virtual devices, of which the kind is held; attributes that are null where an operator
 * has a default, which are written as that; the types of constants, which are those of their
 * tensors; and of kernels, int32 indices, which are int64, alignments and factors of offsets, and
 * ordered axes, which are opaque. Spans and the source map, which comparison ignores, are not held.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/object-system.md, sections 5 and 7.
 */
public final class ModuleObjects {
  private ModuleObjects() {}

  /**
   * Reads a module, and checks it.
   *
   * @param root an object of the type {@code ir.IRModule}; its tensors are borrowed and must stay
   *     open as long as the module is in use
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} that lists all that
   *     Relax IR cannot hold, each with its path; or the first violation of a rule
   */
  public static IRModule read(Object root) {
    IRModule module = ModuleReader.read(root, StandardOps.registry());
    WellFormed.check(module);
    return module;
  }

  /**
   * A module as an object. Each variable, each name of a function, each constant and each virtual
   * device is one node.
   *
   * @param module whose tensors the object borrows
   * @param types those of Apache TVM 0.26, perhaps with others
   * @return of the type {@code ir.IRModule}
   * @throws org.relaxvm.api.error.InvalidProgramException for what the types cannot hold
   */
  public static ObjectNode write(IRModule module, ObjectTypes types) {
    return ModuleWriter.write(module, types);
  }
}
