package org.relaxvm.interoprelay.release.file;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;

/**
 * The words of instructions. Source: docs/spec/relay-register-vm.md, sections 15.2 and 15.3.
 * Stateless and thread-safe.
 */
public final class InstructionWords {
  private InstructionWords() {}

  /** The fields of an instruction in files of an era. */
  public static List<Long> fields(ReleasedInstruction instruction, Era era) {
    Fields f = new Fields();
    switch (instruction) {
      case Move(int src, int dst) -> f.add(src, dst);
      case Ret(int src) -> f.add(src);
      case Invoke(int function, int dst, List<Integer> args) ->
          f.add(function, args.size(), dst).all(args);
      case InvokeClosure(int closure, int dst, List<Integer> args) ->
          f.add(closure, args.size(), dst).all(args);
      case InvokePacked(int packed, int outputs, List<Integer> args) ->
          f.add(packed, args.size(), outputs).all(args);
      case AllocTensor at -> {
        f.add(at.storage());
        offset(f, at.offset(), era);
        f.dtype(at.dtype()).add(at.shape().rank(), at.dst()).add(at.shape().toArray());
      }
      case AllocTensorReg at -> {
        f.add(at.storage());
        offset(f, at.offset(), era);
        f.add(at.shape()).dtype(at.dtype()).add(at.dst());
      }
      case AllocDatatype(long tag, int dst, List<Integer> fields) ->
          f.add(tag, fields.size(), dst).all(fields);
      case AllocClosure(int function, int dst, List<Integer> free) ->
          f.add(function, free.size(), dst).all(free);
      case GetField(int src, int index, int dst) -> f.add(src, index, dst);
      case If(int test, int target, int ifTrue, int ifFalse) ->
          f.add(test, target, ifTrue, ifFalse);
      case LoadConst(int constant, int device, int dst) -> {
        f.add(constant);
        if (era == Era.R4) {
          f.add(device);
        }
        f.add(dst);
      }
      case Goto(int offset) -> f.add(offset);
      case GetTag(int src, int dst) -> f.add(src, dst);
      case LoadConsti(long value, int dst) -> f.add(value, dst);
      case Fatal() -> {}
      case AllocStorage at -> allocStorage(f, at, era);
      case ShapeOf(int src, int dst) -> f.add(src, dst);
      case ReshapeTensor(int src, int shape, int dst) -> f.add(src, shape, dst);
      case DeviceCopy(int src, int from, int to, int dst) -> f.add(src, from, to, dst);
      case KillRegister(int register) -> f.add(register);
    }
    return List.copyOf(f.words);
  }

  private static void offset(Fields f, int offset, Era era) {
    if (era != Era.R1) {
      f.add(offset);
    }
  }

  private static void allocStorage(Fields f, AllocStorage at, Era era) {
    f.add(at.size(), at.alignment()).dtype(at.dtype());
    if (era != Era.R1) {
      f.add(at.device());
    }
    if (era == Era.R4) {
      f.add(at.shape().rank());
    }
    f.add(at.dst()).add(at.shape().toArray());
  }

  /** The number of an instruction. */
  public static int opcode(ReleasedInstruction instruction) {
    Opcode opcode =
        switch (instruction) {
          case Move _ -> Opcode.MOVE;
          case Ret _ -> Opcode.RET;
          case Invoke _ -> Opcode.INVOKE;
          case InvokeClosure _ -> Opcode.INVOKE_CLOSURE;
          case InvokePacked _ -> Opcode.INVOKE_PACKED;
          case AllocTensor _ -> Opcode.ALLOC_TENSOR;
          case AllocTensorReg _ -> Opcode.ALLOC_TENSOR_REG;
          case AllocDatatype _ -> Opcode.ALLOC_DATATYPE;
          case AllocClosure _ -> Opcode.ALLOC_CLOSURE;
          case GetField _ -> Opcode.GET_FIELD;
          case If _ -> Opcode.IF;
          case LoadConst _ -> Opcode.LOAD_CONST;
          case Goto _ -> Opcode.GOTO;
          case GetTag _ -> Opcode.GET_TAG;
          case LoadConsti _ -> Opcode.LOAD_CONSTI;
          case Fatal _ -> Opcode.FATAL;
          case AllocStorage _ -> Opcode.ALLOC_STORAGE;
          case ShapeOf _ -> Opcode.SHAPE_OF;
          case ReshapeTensor _ -> Opcode.RESHAPE_TENSOR;
          case DeviceCopy _ -> Opcode.DEVICE_COPY;
          case KillRegister _ -> Opcode.KILL_REGISTER;
        };
    return opcode.ordinal();
  }

  /** Hash, opcode and fields. */
  static long[] of(ReleasedInstruction instruction, Era era) {
    List<Long> fields = fields(instruction, era);
    long[] words = new long[2 + fields.size()];
    words[1] = opcode(instruction);
    for (int i = 0; i < fields.size(); i++) {
      words[2 + i] = fields.get(i);
    }
    words[0] = InstructionHash.of(words);
    return words;
  }

  /** Collects fields. */
  private static final class Fields {
    final List<Long> words = new ArrayList<>();

    Fields add(long... values) {
      for (long value : values) {
        words.add(value);
      }
      return this;
    }

    Fields all(List<Integer> registers) {
      for (int register : registers) {
        words.add((long) register);
      }
      return this;
    }

    Fields dtype(DType dtype) {
      DType stored = OldBool.inFile(dtype);
      return add(stored.code().code(), stored.bits(), stored.lanes());
    }
  }
}
