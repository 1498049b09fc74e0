package org.relaxvm.interoprelay.proposal;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.CallPacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.DeviceCopy;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Fatal;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetTag;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.If;
import org.relaxvm.interoprelay.proposal.RelayInstruction.IfEq;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokeClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConsti;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Mov;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ShapeOf;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;

/** The registers that an instruction defines and reads. */
public final class RelayOperands {
  /** Stands for "no register". */
  public static final int NONE = -1;

  private RelayOperands() {}

  /** The register that an instruction defines, or {@link #NONE}. */
  public static int definition(RelayInstruction instruction) {
    return switch (instruction) {
      case AllocTensor i -> i.dst();
      case AllocDatatype i -> i.dst();
      case AllocClosure i -> i.dst();
      case LoadConst i -> i.dst();
      case Mov i -> i.dst();
      case Phi i -> i.dst();
      case GetField i -> i.dst();
      case Invoke i -> i.dst();
      case InvokeClosure i -> i.dst();
      case GetTag i -> i.dst();
      case LoadConsti i -> i.dst();
      case AllocTensorReg i -> i.dst();
      case ShapeOf i -> i.dst();
      case ReshapeTensor i -> i.dst();
      case DeviceCopy i -> i.dst();
      case CallPacked i -> i.dst();
      case Ret _, If _, Goto _, InvokePacked _, IfEq _, Fatal _, Kill _, TailInvoke _ -> NONE;
    };
  }

  /**
   * The registers that an instruction reads, in the order of its operands. Both operands of a Phi
   * are among them; a Kill reads none.
   */
  public static List<Integer> uses(RelayInstruction instruction) {
    return switch (instruction) {
      case AllocDatatype i -> i.fields();
      case AllocClosure i -> i.free();
      case Mov i -> List.of(i.src());
      case Phi i -> List.of(i.first(), i.second());
      case Ret i -> List.of(i.src());
      case GetField i -> List.of(i.src());
      case If i -> List.of(i.condition());
      case InvokePacked i -> concat(i.inputs(), i.outputs());
      case Invoke i -> i.args();
      case InvokeClosure i -> concat(List.of(i.closure()), i.args());
      case GetTag i -> List.of(i.src());
      case IfEq i -> List.of(i.src());
      case AllocTensorReg i -> List.of(i.shape());
      case ShapeOf i -> List.of(i.src());
      case ReshapeTensor i -> List.of(i.src(), i.shape());
      case DeviceCopy i -> List.of(i.src());
      case CallPacked i -> i.args();
      case TailInvoke i -> i.args();
      case AllocTensor _, LoadConst _, Goto _, LoadConsti _, Fatal _, Kill _ -> List.of();
    };
  }

  private static List<Integer> concat(List<Integer> first, List<Integer> second) {
    List<Integer> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
