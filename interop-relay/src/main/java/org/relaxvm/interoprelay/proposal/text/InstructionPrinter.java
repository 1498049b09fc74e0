package org.relaxvm.interoprelay.proposal.text;

import java.util.List;
import java.util.StringJoiner;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
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

/** Prints one instruction: its name, then its operands in the order of the proposal. */
final class InstructionPrinter {
  private final FunctionNames names;

  InstructionPrinter(FunctionNames names) {
    this.names = names;
  }

  String print(RelayInstruction instruction) {
    String name = instruction.getClass().getSimpleName();
    String operands = operands(instruction);
    return operands.isEmpty() ? name : name + " " + operands;
  }

  private String operands(RelayInstruction instruction) {
    return switch (instruction) {
      case AllocTensor i -> list(r(i.dst()), i.shape().rank(), i.shape(), i.dtype());
      case AllocDatatype i -> list(r(i.dst()), i.tag()) + counted(i.fields());
      case AllocClosure i -> list(r(i.dst()), f(i.function())) + counted(i.free());
      case LoadConst i -> list(r(i.dst()), i.constant());
      case Mov i -> list(r(i.dst()), r(i.src()));
      case Phi i -> list(r(i.dst()), r(i.first()), r(i.second()));
      case Ret i -> r(i.src());
      case GetField i -> list(r(i.dst()), r(i.src()), i.index());
      case If i -> list(r(i.condition()), offset(i.ifTrue()), offset(i.ifFalse()));
      case Goto i -> offset(i.offset());
      case InvokePacked i ->
          list(i.packed(), i.inputs().size(), i.outputs().size())
              + registers(i.inputs())
              + registers(i.outputs());
      case Invoke i -> list(r(i.dst()), f(i.function())) + counted(i.args());
      case InvokeClosure i -> list(r(i.dst()), r(i.closure())) + counted(i.args());
      case GetTag i -> list(r(i.dst()), r(i.src()));
      case IfEq i -> list(r(i.src()), i.value(), offset(i.ifTrue()), offset(i.ifFalse()));
      case LoadConsti i -> list(r(i.dst()), i.value());
      case Fatal _ -> "";
      case AllocTensorReg i -> list(r(i.dst()), r(i.shape()), i.dtype());
      case ShapeOf i -> list(r(i.dst()), r(i.src()));
      case ReshapeTensor i -> list(r(i.dst()), r(i.src()), r(i.shape()));
      case DeviceCopy i -> list(r(i.dst()), r(i.src()), i.deviceType(), i.deviceId());
      case Kill i -> r(i.register());
      case CallPacked i -> list(r(i.dst()), i.packed()) + counted(i.args());
      case TailInvoke i -> f(i.function()) + counted(i.args());
    };
  }

  private static String list(Object... operands) {
    StringJoiner text = new StringJoiner(", ");
    for (Object operand : operands) {
      text.add(operand.toString());
    }
    return text.toString();
  }

  private static String r(int register) {
    return "$" + register;
  }

  private String f(int function) {
    return names.reference(function);
  }

  private static String offset(int offset) {
    return offset < 0 ? String.valueOf(offset) : "+" + offset;
  }

  private static String counted(List<Integer> registers) {
    return ", " + registers.size() + registers(registers);
  }

  private static String registers(List<Integer> registers) {
    StringBuilder text = new StringBuilder();
    registers.forEach(register -> text.append(", ").append(r(register)));
    return text.toString();
  }
}
