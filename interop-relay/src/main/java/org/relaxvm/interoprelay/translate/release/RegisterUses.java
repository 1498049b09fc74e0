package org.relaxvm.interoprelay.translate.release;

import java.util.ArrayList;
import java.util.List;
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

/** The registers that an instruction writes and reads. */
final class RegisterUses {
  private RegisterUses() {}

  /** The register that gets a result, or {@link ReleasedInstruction#NONE}. */
  static int definition(ReleasedInstruction instruction) {
    return switch (instruction) {
      case Move i -> i.dst();
      case Invoke i -> i.dst();
      case InvokeClosure i -> i.dst();
      case AllocTensor i -> i.dst();
      case AllocTensorReg i -> i.dst();
      case AllocDatatype i -> i.dst();
      case AllocClosure i -> i.dst();
      case GetField i -> i.dst();
      case LoadConst i -> i.dst();
      case GetTag i -> i.dst();
      case LoadConsti i -> i.dst();
      case AllocStorage i -> i.dst();
      case ShapeOf i -> i.dst();
      case ReshapeTensor i -> i.dst();
      case DeviceCopy i -> i.dst();
      case Ret _, InvokePacked _, If _, Goto _, Fatal _, KillRegister _ -> ReleasedInstruction.NONE;
    };
  }

  /** The registers that are read as values, and not only for an integer that they hold. */
  static List<Integer> values(ReleasedInstruction instruction) {
    return switch (instruction) {
      case Move i -> List.of(i.src());
      case Ret i -> List.of(i.src());
      case Invoke i -> i.args();
      case InvokeClosure i -> {
        List<Integer> all = new ArrayList<>(i.args());
        all.add(i.closure());
        yield all;
      }
      case InvokePacked i -> i.args();
      case AllocTensor i -> List.of(i.storage());
      case AllocTensorReg i -> List.of(i.storage(), i.shape());
      case AllocDatatype i -> i.fields();
      case AllocClosure i -> i.free();
      case GetField i -> List.of(i.src());
      case GetTag i -> List.of(i.src());
      case ShapeOf i -> List.of(i.src());
      case ReshapeTensor i -> List.of(i.src(), i.shape());
      case DeviceCopy i -> List.of(i.src());
      case If _, LoadConst _, Goto _, LoadConsti _, Fatal _, AllocStorage _, KillRegister _ ->
          List.of();
    };
  }
}
