package org.relaxvm.vmcore.executable;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** The kinds of constants in the pool. Source: docs/spec/executable-format.md, section 2.3. */
enum ConstantKind {
  INT,
  FLOAT,
  DTYPE,
  STRING,
  SHAPE,
  TENSOR;

  /**
   * The kind of a constant.
   *
   * @throws InvalidProgramException an {@code InternalError}, as in TVM, when the pool cannot hold
   *     the value
   */
  static ConstantKind of(Object constant) {
    return switch (constant) {
      case Long _ -> INT;
      case Double _ -> FLOAT;
      case DType _ -> DTYPE;
      case String _ -> STRING;
      case Shape _ -> SHAPE;
      case Tensor _ -> TENSOR;
      default -> throw unsupported(constant);
    };
  }

  /** The error for a value that the pool cannot hold, an {@code InternalError} as in TVM. */
  static InvalidProgramException unsupported(Object constant) {
    return new InvalidProgramException(
            ErrorKind.INTERNAL,
            "a constant cannot be "
                + TypeKeys.describe(constant)
                + "\n"
                + "  expected: a tensor, shape, string, 64-bit integer, 64-bit float or data type\n"
                + "  what to do: convert it with ExecBuilder.convertConstant, which makes a boolean"
                + " the integer 0 or 1")
        .withTvmMessage("Unsupported constant pool type " + TypeKeys.of(constant));
  }

  /** The type key of Apache TVM behind a tag that no constant has. */
  static String typeKey(int tag) {
    return switch (tag) {
      case 0 -> "None";
      case 2 -> "bool";
      case 4 -> "void*";
      case 6 -> "Device";
      case 7 -> "DLTensor*";
      case 8 -> "const char*";
      case 9 -> "TVMFFIByteArray*";
      case 10 -> "ObjectRValueRef";
      case 11 -> "ffi.SmallStr";
      case 12 -> "ffi.SmallBytes";
      case 64 -> "ffi.Object";
      case 66 -> "ffi.Bytes";
      case 67 -> "ffi.Error";
      case 68 -> "ffi.Function";
      case 71 -> "ffi.Array";
      case 72 -> "ffi.Map";
      case 73 -> "ffi.Module";
      default -> "type index " + tag;
    };
  }
}
