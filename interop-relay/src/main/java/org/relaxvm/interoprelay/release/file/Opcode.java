package org.relaxvm.interoprelay.release.file;

import org.relaxvm.interoprelay.release.Era;

/**
 * The instructions in the order of their numbers.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.2.
 */
enum Opcode {
  MOVE,
  RET,
  INVOKE,
  INVOKE_CLOSURE,
  INVOKE_PACKED,
  ALLOC_TENSOR,
  ALLOC_TENSOR_REG,
  ALLOC_DATATYPE,
  ALLOC_CLOSURE,
  GET_FIELD,
  IF,
  LOAD_CONST,
  GOTO,
  GET_TAG,
  LOAD_CONSTI,
  FATAL,
  ALLOC_STORAGE,
  SHAPE_OF,
  RESHAPE_TENSOR,
  DEVICE_COPY,
  KILL_REGISTER;

  /** The number of instructions that files of an era know. */
  static int count(Era era) {
    return switch (era) {
      case R1 -> ALLOC_STORAGE.ordinal() + 1;
      case R2 -> DEVICE_COPY.ordinal() + 1;
      case R3, R4 -> KILL_REGISTER.ordinal() + 1;
    };
  }
}
