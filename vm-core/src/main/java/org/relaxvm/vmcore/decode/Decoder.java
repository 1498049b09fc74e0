package org.relaxvm.vmcore.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.ClosureInvoker;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.DirectFunction;
import org.relaxvm.api.engine.RegisterMove;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Decodes a verified executable. Whatever the verifier guarantees (indices, jumps, sizes) is not
 * checked again.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why are operands resolved at link time?"
 */
public final class Decoder {
  private final Executable executable;
  private final @Nullable PackedFunc[] packed;
  private final ConstantTable constants = new ConstantTable();
  private final List<DirectCall> direct = new ArrayList<>();
  private final int firstPoolConstant;
  private final int firstFunctionConstant;
  private final int[] positions;
  private int[] code = new int[256];
  private int length;

  /**
   * A decoder of one executable.
   *
   * @param pool values of the constant pool, placed on devices
   * @param packed what to call for each table entry that is not bytecode
   * @param functionValues what a reference to each table entry gives
   */
  public Decoder(
      Executable executable,
      @Nullable Object[] pool,
      @Nullable PackedFunc[] packed,
      List<Object> functionValues) {
    this.executable = executable;
    this.packed = packed;
    this.positions = new int[executable.instructionCount()];
    int first = 1;
    for (Object value : pool) {
      constants.add(value);
    }
    this.firstPoolConstant = first;
    this.firstFunctionConstant = first + pool.length;
    functionValues.forEach(constants::add);
  }

  /** Decodes all bytecode functions. */
  public DecodedProgram decode() {
    List<FunctionInfo> table = executable.functions();
    @Nullable DecodedFunction[] functions = new DecodedFunction[table.size()];
    layOut(table);
    for (int i = 0; i < functions.length; i++) {
      if (table.get(i).kind() == FunctionKind.VM) {
        functions[i] = decode(table.get(i), i);
      }
    }
    TailCalls.mark(code, functions, firstFunctionConstant);
    return new DecodedProgram(
        executable,
        code,
        positions,
        functions,
        packed,
        direct.toArray(new DirectCall[0]),
        constants.refs(),
        constants.bits(),
        firstFunctionConstant,
        SourceNodes.NONE);
  }

  /** Finds the position of every instruction first, so that jumps can be resolved in one pass. */
  private void layOut(List<FunctionInfo> table) {
    boolean[] used = new boolean[positions.length];
    for (FunctionInfo info : table) {
      if (info.kind() == FunctionKind.VM) {
        Arrays.fill(used, (int) info.startInstr(), (int) info.endInstr(), true);
      }
    }
    long position = 0;
    for (int pc = 0; pc < positions.length; pc++) {
      positions[pc] = Math.toIntExact(position);
      if (used[pc]) {
        position += sizeOf(pc);
      }
    }
    code = new int[Math.toIntExact(position)];
  }

  private long sizeOf(int pc) {
    return switch (opcodeAt(pc)) {
      case CALL -> InstructionCodes.CALL_WORDS + word(pc, 3);
      case RET, GOTO -> 2;
      case IF -> 3;
    };
  }

  private DecodedFunction decode(FunctionInfo info, int index) {
    int start = (int) info.startInstr();
    int contextRegister = (int) info.registerFileSize();
    boolean mentionsContext = false;
    for (int pc = start; pc < info.endInstr(); pc++) {
      length = positions[pc];
      switch (opcodeAt(pc)) {
        case CALL -> mentionsContext |= decodeCall(pc, contextRegister);
        case RET -> {
          emit(InstructionCodes.RETURN);
          emit(registerOperand(word(pc, 1), contextRegister));
        }
        case GOTO -> {
          int target = (int) (pc + word(pc, 1));
          emit(target > pc ? InstructionCodes.JUMP : InstructionCodes.LOOP);
          emit(positions[target]);
        }
        case IF -> {
          emit(InstructionCodes.BRANCH);
          emit(registerOperand(word(pc, 1), contextRegister));
          emit(positions[(int) (pc + word(pc, 2))]);
        }
      }
    }
    return new DecodedFunction(
        info.name(),
        index,
        positions[start],
        length,
        (int) info.numArgs(),
        contextRegister + (mentionsContext ? 1 : 0),
        mentionsContext ? contextRegister : -1,
        info.paramNames());
  }

  private boolean decodeCall(int pc, int contextRegister) {
    int callee = (int) word(pc, 2);
    int count = (int) word(pc, 3);
    long destination = word(pc, 1);
    emit(callCode(callee, count));
    emit(
        destination >= Arg.FIRST_SPECIAL_REGISTER
            ? InstructionCodes.NO_DESTINATION
            : (int) destination);
    emit(callee);
    emit(count);
    emit(InstructionCodes.NO_DIRECT);
    boolean mentionsContext = false;
    for (int i = 0; i < count; i++) {
      Arg arg = Arg.ofWord(word(pc, 4 + i));
      mentionsContext |= arg.equals(Arg.VM);
      emit(operand(arg, contextRegister));
    }
    int at = positions[pc];
    if (code[at] == InstructionCodes.CALL_PACKED
        && packed[callee] instanceof DirectFunction function) {
      DirectCall form = function.specialize(site(at));
      if (form != null) {
        code[at + InstructionCodes.DIRECT_WORD] = direct.size();
        direct.add(form);
      }
    }
    return mentionsContext;
  }

  private CallSite site(int at) {
    int first = at + InstructionCodes.CALL_WORDS;
    int count = code[at + 3];
    int[] operands = Arrays.copyOfRange(code, first, first + count);
    @Nullable Object[] constantRefs = new Object[count];
    long[] constantBits = new long[count];
    for (int i = 0; i < count; i++) {
      if (operands[i] < 0) {
        constantRefs[i] = constants.ref(~operands[i]);
        constantBits[i] = constants.scalar(~operands[i]);
      }
    }
    return new CallSite(code[at + 1], operands, constantRefs, constantBits);
  }

  private int callCode(int callee, int count) {
    if (executable.functions().get(callee).kind() == FunctionKind.VM) {
      return InstructionCodes.CALL_BYTECODE;
    }
    return switch (packed[callee]) {
      case ClosureInvoker _ -> InstructionCodes.CALL_CLOSURE;
      case RegisterMove move when move.argumentCount() == count ->
          count == 0 ? InstructionCodes.CLEAR : InstructionCodes.MOVE;
      case null, default -> InstructionCodes.CALL_PACKED;
    };
  }

  private int operand(Arg arg, int contextRegister) {
    return switch (arg.kind()) {
      case REGISTER -> registerOperand(arg.value(), contextRegister);
      case IMMEDIATE -> ~constants.immediate(arg.value());
      case CONSTANT -> ~(firstPoolConstant + (int) arg.value());
      case FUNCTION -> ~(firstFunctionConstant + (int) arg.value());
    };
  }

  private static int registerOperand(long register, int contextRegister) {
    if (register == Arg.VM_REGISTER) {
      return contextRegister;
    }
    return register >= Arg.FIRST_SPECIAL_REGISTER ? ~ConstantTable.NULL : (int) register;
  }

  private Opcode opcodeAt(int pc) {
    return Opcode.of(word(pc, 0)).orElseThrow();
  }

  private long word(int pc, int index) {
    return executable.word((int) executable.offset(pc) + index);
  }

  private void emit(int value) {
    code[length++] = value;
  }
}
