package org.relaxvm.interoptvm.abi;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * What a value is in the calling convention of Apache TVM 0.20 and older, and which {@link
 * TypeIndex} means the same (docs/spec/relay-register-vm.md, section 15.6, and
 * docs/spec/rpc-protocol.md, section 11).
 */
public final class TypeCode {
  public static final int INT = 0;
  public static final int UINT = 1;
  public static final int FLOAT = 2;
  public static final int HANDLE = 3;
  public static final int NULL = 4;
  public static final int DATA_TYPE = 5;
  public static final int DEVICE = 6;
  public static final int TENSOR_POINTER = 7;
  public static final int OBJECT = 8;
  public static final int MODULE = 9;
  public static final int FUNCTION = 10;
  public static final int STRING = 11;
  public static final int BYTES = 12;
  public static final int TENSOR = 13;
  public static final int OBJECT_RVALUE_REF = 14;
  public static final int BOOL = 15;

  private TypeCode() {}

  /** The code of a cell's type. A boolean is an integer, as all releases accept it. */
  public static int of(int typeIndex) {
    return switch (typeIndex) {
      case TypeIndex.NONE -> NULL;
      case TypeIndex.INT, TypeIndex.BOOL -> INT;
      case TypeIndex.FLOAT -> FLOAT;
      case TypeIndex.OPAQUE_POINTER -> HANDLE;
      case TypeIndex.DATA_TYPE -> DATA_TYPE;
      case TypeIndex.DEVICE -> DEVICE;
      case TypeIndex.DL_TENSOR_POINTER -> TENSOR_POINTER;
      case TypeIndex.RAW_STRING, TypeIndex.STRING -> STRING;
      case TypeIndex.BYTE_ARRAY_POINTER, TypeIndex.BYTES -> BYTES;
      case TypeIndex.FUNCTION -> FUNCTION;
      case TypeIndex.MODULE -> MODULE;
      case TypeIndex.TENSOR -> TENSOR;
      default -> OBJECT;
    };
  }

  /**
   * The type of the cell that holds a value of this code. Both tensors are pointers to the tensor's
   * header.
   *
   * @throws CallException for a code that no release has
   */
  public static int typeIndex(int code) {
    return switch (code) {
      case INT, UINT -> TypeIndex.INT;
      case FLOAT -> TypeIndex.FLOAT;
      case HANDLE -> TypeIndex.OPAQUE_POINTER;
      case NULL -> TypeIndex.NONE;
      case DATA_TYPE -> TypeIndex.DATA_TYPE;
      case DEVICE -> TypeIndex.DEVICE;
      case TENSOR_POINTER, TENSOR -> TypeIndex.DL_TENSOR_POINTER;
      case OBJECT -> TypeIndex.OBJECT;
      case MODULE -> TypeIndex.MODULE;
      case FUNCTION -> TypeIndex.FUNCTION;
      case STRING -> TypeIndex.RAW_STRING;
      case BYTES -> TypeIndex.BYTE_ARRAY_POINTER;
      case OBJECT_RVALUE_REF -> TypeIndex.OBJECT_RVALUE_REF;
      case BOOL -> TypeIndex.BOOL;
      default ->
          throw new CallException(
              ErrorKind.TYPE, "compiled code passed a value of the unknown type code " + code);
    };
  }
}
