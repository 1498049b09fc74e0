package org.relaxvm.interoprelay.proposal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
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
import org.relaxvm.interoprelay.proposal.text.Token.Kind;

/** Reads one instruction. */
final class InstructionParser {
  static final String EXTENSION = ".ext";
  private static final String OPCODES =
      "an instruction: AllocTensor, AllocDatatype, AllocClosure, LoadConst, Mov, Phi, Ret,"
          + " GetField, If, Goto, InvokePacked, Invoke, InvokeClosure, or one of the extensions"
          + " GetTag, IfEq, LoadConsti, Fatal, AllocTensorReg, ShapeOf, ReshapeTensor, DeviceCopy,"
          + " Kill, CallPacked, TailInvoke";

  private final TokenStream tokens;
  private final Map<String, Integer> functions;
  private final Map<String, Integer> labels;
  private final int index;
  private boolean hasOperand;

  /**
   * A parser of one instruction.
   *
   * @param functions indices by name
   * @param labels instructions by label
   * @param index of the instruction
   */
  InstructionParser(
      TokenStream tokens, Map<String, Integer> functions, Map<String, Integer> labels, int index) {
    this.tokens = tokens;
    this.functions = functions;
    this.labels = labels;
    this.index = index;
  }

  RelayInstruction parse() {
    Token name = tokens.expect(Kind.NAME, OPCODES);
    String opcode = name.text();
    if (opcode.endsWith(EXTENSION)) {
      opcode = opcode.substring(0, opcode.length() - EXTENSION.length());
    }
    return switch (opcode) {
      // The proposal's own spelling in one place.
      case "AllocTensor", "AllocTenosr" -> allocTensor();
      case "AllocDatatype" -> new AllocDatatype(dst(), number("a tag"), counted());
      case "AllocClosure" -> new AllocClosure(dst(), function(), counted());
      case "LoadConst" -> new LoadConst(dst(), index("the index of a constant"));
      case "Mov" -> new Mov(dst(), src());
      case "Phi" -> new Phi(dst(), src(), src());
      case "Ret" -> new Ret(src());
      case "GetField" -> new GetField(dst(), src(), index("the index of a field"));
      case "If" -> new If(src(), offset(), offset());
      case "Goto" -> new Goto(offset());
      case "InvokePacked" -> invokePacked();
      case "Invoke" -> new Invoke(dst(), function(), counted());
      case "InvokeClosure" -> new InvokeClosure(dst(), src(), counted());
      case "GetTag" -> new GetTag(dst(), src());
      case "IfEq" -> new IfEq(src(), number("an integer"), offset(), offset());
      case "LoadConsti" -> new LoadConsti(dst(), number("an integer"));
      case "Fatal" -> new Fatal();
      case "AllocTensorReg" -> new AllocTensorReg(dst(), src(), dtype());
      case "ShapeOf" -> new ShapeOf(dst(), src());
      case "ReshapeTensor" -> new ReshapeTensor(dst(), src(), src());
      case "DeviceCopy" ->
          new DeviceCopy(dst(), src(), index("a device type"), index("the number of a device"));
      case "Kill" -> new Kill(src());
      case "CallPacked" -> new CallPacked(dst(), packed(), counted());
      case "TailInvoke" -> new TailInvoke(function(), counted());
      default -> throw tokens.error(name, "expected " + OPCODES + ", but got " + name.describe());
    };
  }

  private AllocTensor allocTensor() {
    int dst = dst();
    separator();
    Token rank = tokens.peek();
    int ndim = tokens.index("the number of dimensions");
    separator();
    Shape shape = tokens.shape();
    if (shape.rank() != ndim) {
      throw tokens.error(
          rank, "the shape " + shape + " has " + shape.rank() + " dimensions, but got " + ndim);
    }
    return new AllocTensor(dst, shape, dtype());
  }

  private InvokePacked invokePacked() {
    int packed = packed();
    int inputs = count("the number of inputs");
    int outputs = count("the number of outputs");
    return new InvokePacked(packed, registers(inputs), registers(outputs));
  }

  // ---------------------------------------------------------------- operands

  private void separator() {
    if (hasOperand) {
      tokens.expect(',', "and a further operand");
    }
    hasOperand = true;
  }

  private int dst() {
    separator();
    return tokens.register("the register that the instruction defines, such as $3");
  }

  private int src() {
    separator();
    return tokens.register("a register, such as $3");
  }

  private int packed() {
    return index("the index of a packed function");
  }

  private int index(String role) {
    separator();
    return tokens.index(role);
  }

  private int count(String role) {
    separator();
    Token token = tokens.peek();
    int count = tokens.index(role);
    if (count < 0) {
      throw tokens.error(token, "expected " + role + ", but got " + token.describe());
    }
    return count;
  }

  private long number(String role) {
    separator();
    return tokens.integer(role);
  }

  private DType dtype() {
    separator();
    return tokens.dtype();
  }

  private int function() {
    separator();
    Token token = tokens.peek();
    if (token.kind() != Kind.FUNCTION) {
      return tokens.index("a function: '@' and its name, or its index");
    }
    tokens.next();
    Integer function = functions.get(token.text());
    if (function == null) {
      throw tokens.error(
          token,
          "there is no function @"
              + token.text()
              + "; functions: "
              + String.join(", ", functions.keySet()));
    }
    return function;
  }

  private int offset() {
    separator();
    Token token = tokens.peek();
    if (token.kind() != Kind.NAME) {
      return tokens.index("a label, or an offset such as +3");
    }
    tokens.next();
    Integer target = labels.get(token.text());
    if (target == null) {
      throw tokens.error(
          token, "there is no label '" + token.text() + "' in this function" + known());
    }
    return target - index;
  }

  private String known() {
    return labels.isEmpty() ? "" : "; labels: " + String.join(", ", labels.keySet());
  }

  private List<Integer> counted() {
    return registers(count("the number of registers that follow"));
  }

  private List<Integer> registers(int count) {
    List<Integer> registers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      registers.add(src());
    }
    return registers;
  }
}
