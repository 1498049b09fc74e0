package org.relaxvm.api.kernels;

import org.jspecify.annotations.Nullable;

/**
 * One argument of a library kernel.
 *
 * @param name as documents and messages call it
 * @param role whether it is read, written or an attribute
 * @param dtypes the dtypes that a tensor may have; {@link DTypeSet#NONE} for attributes
 * @param sameDTypeAs name of an earlier argument whose dtype a tensor must share; null when free
 * @param shape the shape of a tensor, or the extents of a shape value, such as {@code [n, c, h,
 *     w]}; empty for scalars
 * @param meaning one sentence; may be empty
 */
public record KernelArgument(
    String name,
    ArgumentRole role,
    DTypeSet dtypes,
    @Nullable String sameDTypeAs,
    String shape,
    String meaning) {

  /** A tensor that is read. */
  static KernelArgument input(String name, DTypeSet dtypes, String shape, String meaning) {
    return new KernelArgument(name, ArgumentRole.INPUT, dtypes, null, shape, meaning);
  }

  /** A tensor that is written. */
  static KernelArgument output(DTypeSet dtypes, String shape, String meaning) {
    return new KernelArgument("out", ArgumentRole.OUTPUT, dtypes, null, shape, meaning);
  }

  /** An argument that is no tensor. */
  static KernelArgument attribute(String name, ArgumentRole role, String shape, String meaning) {
    return new KernelArgument(name, role, DTypeSet.NONE, null, shape, meaning);
  }

  /** This tensor with the dtype of an earlier argument. */
  KernelArgument like(String other) {
    return new KernelArgument(name, role, dtypes, other, shape, meaning);
  }

  /** This tensor, or null instead. */
  KernelArgument optional() {
    return new KernelArgument(
        name, ArgumentRole.OPTIONAL_INPUT, dtypes, sameDTypeAs, shape, meaning);
  }
}
