package org.relaxvm.interoprelay.release.listing;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
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

/** The text of an instruction in a listing. */
final class InstructionText {
  private InstructionText() {}

  static String of(ReleasedInstruction instruction, Era era) {
    return switch (instruction) {
      case Move(int src, int dst) -> "move $" + dst + " $" + src;
      case Ret(int src) -> "ret $" + src;
      case Invoke(int function, int dst, List<Integer> args) ->
          "invoke $" + dst + " VMFunc[" + function + "](" + registers(args, ",") + ")";
      case InvokeClosure(int closure, int dst, List<Integer> args) ->
          "invoke_closure $" + dst + " $" + closure + "(" + registers(args, ",") + ")";
      case InvokePacked(int packed, int outputs, List<Integer> args) -> {
        int inputs = Math.clamp(args.size() - outputs, 0, args.size());
        yield "invoke_packed PackedFunc["
            + packed
            + "] (in: "
            + registers(args.subList(0, inputs), ", ")
            + ", out: "
            + registers(args.subList(inputs, args.size()), ", ")
            + ")";
      }
      case AllocTensor at ->
          "alloc_tensor $"
              + at.dst()
              + storage(at.storage(), at.offset())
              + " ["
              + extents(at.shape())
              + "] "
              + plain(at.dtype());
      case AllocTensorReg at ->
          "alloc_tensor_reg $"
              + at.dst()
              + storage(at.storage(), at.offset())
              + " $"
              + at.shape()
              + " "
              + plain(at.dtype());
      case AllocDatatype(long tag, int dst, List<Integer> fields) ->
          "alloc_data $" + dst + " tag(" + tag + ") [" + registers(fields, ",") + "]";
      case AllocClosure(int function, int dst, List<Integer> free) ->
          "alloc_closure $" + dst + " VMFunc[" + function + "](" + registers(free, ",") + ")";
      case GetField(int src, int index, int dst) ->
          "get_field $" + dst + " $" + src + "[" + index + "]";
      case If(int test, int target, int ifTrue, int ifFalse) ->
          "if $" + test + " $" + target + " " + ifTrue + " " + ifFalse;
      case LoadConst(int constant, int device, int dst) ->
          "load_const $" + dst + " Const[" + constant + "]" + (era == Era.R4 ? " " + device : "");
      case Goto(int offset) -> "goto " + offset;
      case GetTag(int src, int dst) -> "get_tag $" + dst + " $" + src;
      case LoadConsti(long value, int dst) -> "load_consti $" + dst + " " + value;
      case Fatal() -> "fatal";
      case AllocStorage at -> allocStorage(at, era);
      case ShapeOf(int src, int dst) -> "shape_of $" + dst + " $" + src;
      case ReshapeTensor(int src, int shape, int dst) ->
          "reshape_tensor $" + dst + " $" + src + " $" + shape;
      case DeviceCopy(int src, int from, int to, int dst) ->
          "device_copy $" + dst + " $" + src + " " + to + " " + from;
      case KillRegister(int register) -> "kill_register $" + register;
    };
  }

  private static String allocStorage(AllocStorage at, Era era) {
    StringBuilder text = new StringBuilder("alloc_storage $").append(at.dst());
    if (at.shape().rank() > 0) {
      text.append(" [").append(extents(at.shape())).append(']');
    } else {
      text.append(" $").append(at.size()).append(era == Era.R1 ? " $" : " ");
      text.append(at.alignment());
    }
    text.append(' ').append(at.dtype());
    return era == Era.R1 ? text.toString() : text.append(' ').append(at.device()).toString();
  }

  private static String storage(int storage, int offset) {
    return " $" + storage + (offset == ReleasedInstruction.NONE ? "" : " $" + offset);
  }

  /** The sign of a register stands before each of them; an empty list has one, too. */
  private static String registers(List<Integer> registers, String separator) {
    return registers.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(separator + "$", "$", ""));
  }

  private static String extents(Shape shape) {
    return Arrays.stream(shape.toArray())
        .mapToObj(Long::toString)
        .collect(Collectors.joining(", "));
  }

  /** A data type as tensors' texts have it: booleans are integers of one bit there. */
  private static String plain(DType dtype) {
    return dtype.equals(DType.BOOL) ? "uint1" : dtype.toString();
  }
}
