package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Builds executables instruction by instruction.
 *
 * <pre>{@code
 * ExecBuilder builder = new ExecBuilder();
 * builder.function("main", List.of("x"), f -> f.ret(f.call("relaxvm.relu", f.param("x"))));
 * Executable executable = builder.get();
 * }</pre>
 *
 * <p>The {@code emit} methods take registers and distances as numbers, as Apache TVM's builder
 * does; {@link FunctionBuilder} hands out registers and labels instead. Register numbers may have
 * holes: {@link #get} numbers them anew in the order of their first definition.
 *
 * <p>Constant tensors are borrowed and must not be written any more.
 *
 * <p>Source: docs/spec/executable-format.md, section 6; docs/spec/vm-codegen.md, section 1.3. Every
 * violation is an {@link InvalidProgramException} with TVM's text in its first line. Confined to
 * one thread.
 */
public final class ExecBuilder {
  private final List<FunctionInfo> functions = new ArrayList<>();
  private final Map<String, Integer> index = new HashMap<>();
  private final ConstantPool constants = new ConstantPool();
  private final Map<Integer, String> memoryScopes = new LinkedHashMap<>();
  private final CodeBuffer code = new CodeBuffer();
  private final List<Label> labels = new ArrayList<>();
  private @Nullable FunctionInfo open;

  // ---------------------------------------------------------------- arguments

  /** Register {@code number} as an argument or destination. */
  public Arg r(long number) {
    return Arg.register(number);
  }

  /** The integer {@code value} as an immediate argument. */
  public Arg imm(long value) {
    return Arg.immediate(value);
  }

  /** Entry {@code index} of the constant pool as an argument. */
  public Arg c(long index) {
    return Arg.constant(index);
  }

  /** A declared function as an argument. */
  public Arg f(String name) {
    Integer entry = index.get(name);
    if (entry == null) {
      throw error(
              "function '"
                  + name
                  + "' is not declared\n  declared so far: "
                  + (functions.isEmpty()
                      ? "none"
                      : String.join(", ", functions.stream().map(FunctionInfo::name).toList()))
                  + "\n  what to do: declare it first with declareFunction")
          .withTvmMessage("Cannot find function " + name);
    }
    return Arg.function(entry);
  }

  /**
   * A value as an argument: an integer that fits is an immediate, everything else an entry of the
   * constant pool, shared with an equal one: tensors by dtype, shape and bytes, others by value.
   *
   * @param value a tensor, {@link org.relaxvm.api.Shape} or {@code long[]}, string, data type,
   *     float, integer of any width, or boolean, which becomes 0 or 1
   */
  public Arg convertConstant(Object value) {
    return constants.convert(value);
  }

  /**
   * A value as an entry of the constant pool that is kept in a memory scope. Entries of ordinary
   * memory are shared as {@link #convertConstant(Object)} says, others with equal values of the
   * same scope.
   *
   * @param value as for {@link #convertConstant(Object)}; never an immediate but in ordinary memory
   * @param scope such as {@code global} for ordinary memory, or {@code global.texture-weight}
   */
  public Arg convertConstant(Object value, String scope) {
    boolean ordinary = scope.isEmpty() || scope.equals("global");
    Arg constant = ordinary ? constants.convert(value) : constants.convert(value, scope);
    if (constant.kind() == ArgKind.CONSTANT && !scope.isEmpty()) {
      saveMemoryScope(constant, scope);
    }
    return constant;
  }

  /** A value as a new entry of the constant pool, even when it fits an immediate or is there. */
  public Arg addConstant(Object value) {
    return constants.add(value);
  }

  /** Sets the memory scope of a constant, such as {@code global.texture-weight}. */
  public void saveMemoryScope(Arg constant, String scope) {
    if (constant.kind() != ArgKind.CONSTANT
        || constant.value() < 0
        || constant.value() >= constants.size()) {
      throw refused(
          "a memory scope belongs to a constant\n"
              + "  expected: a constant argument with an index below "
              + constants.size()
              + "\n  got: "
              + constant);
    }
    memoryScopes.put((int) constant.value(), scope);
  }

  // ---------------------------------------------------------------- functions

  /** Makes an entry of the function table unless one of the same kind is there. */
  public Arg declareFunction(String name, FunctionKind kind) {
    Integer entry = index.get(name);
    if (entry == null) {
      entry = functions.size();
      index.put(name, entry);
      functions.add(new FunctionInfo(kind, name, 0, 0, FunctionInfo.DECLARED_ONLY, 0, List.of()));
    } else if (functions.get(entry).kind() != kind) {
      throw error(
              "function '"
                  + name
                  + "' is already declared with another kind\n  declared: "
                  + functions.get(entry).kind()
                  + "\n  now: "
                  + kind
                  + "\n"
                  + "  what to do: a call declares an unknown name as PACKED; declare a VM function"
                  + " that is called before its body with declareFunction")
          .withTvmMessage("Function " + name + "already declared in a different kind");
    }
    return Arg.function(entry);
  }

  /** Begins the body of a VM function; registers 0 to {@code numInputs - 1} are its parameters. */
  public void emitFunction(String name, long numInputs, List<String> paramNames) {
    if (open != null) {
      throw refused(
          "cannot begin function "
              + name
              + " inside of function "
              + open.name()
              + "\n  what to do: call endFunction first");
    }
    open = define(name, FunctionKind.VM, numInputs, paramNames, 0);
    labels.clear();
  }

  /** Begins the body of a VM function without parameter names. */
  public void emitFunction(String name, long numInputs) {
    emitFunction(name, numInputs, List.of());
  }

  /**
   * Adds a function whose body is compiled code in a library.
   *
   * @param registerFileSize at least {@code numInputs + 1}, for the result
   */
  public void compiledFunction(
      String name, long numInputs, List<String> paramNames, long registerFileSize) {
    define(name, FunctionKind.VMTIR, numInputs, paramNames, registerFileSize);
  }

  /** Ends the body of the VM function that was begun last. */
  public void endFunction(String name) {
    if (open == null || !open.name().equals(name)) {
      throw error(
              "cannot end function '"
                  + name
                  + "': "
                  + (open == null
                      ? "no function is open"
                      : "the open function is '" + open.name() + "'"))
          .withTvmMessage("EndFuncton can only be called once");
    }
    for (Label label : labels) {
      if (label.isUsed() && !label.isPlaced()) {
        throw refused("function " + name + " jumps to a label that was never placed");
      }
    }
    FunctionInfo begun = open;
    functions.set(
        index.getOrDefault(name, 0),
        new FunctionInfo(
            FunctionKind.VM,
            name,
            begun.startInstr(),
            code.instructionCount(),
            begun.numArgs(),
            0,
            begun.paramNames()));
    open = null;
  }

  /** Adds a VM function whose body is emitted by an action; one parameter per name. */
  public void function(String name, List<String> paramNames, Consumer<FunctionBuilder> body) {
    emitFunction(name, paramNames.size(), paramNames);
    body.accept(new FunctionBuilder(this, paramNames));
    endFunction(name);
  }

  // ---------------------------------------------------------------- instructions

  /** How many instructions were emitted so far: the program counter of the next one. */
  public long instructionCount() {
    return code.instructionCount();
  }

  /** Emits {@code dst = name(args)}; an unknown name is declared as a packed function. */
  public void emitCall(String name, List<Arg> args, Arg dst) {
    requireScope();
    Arg function = index.containsKey(name) ? f(name) : declareFunction(name, FunctionKind.PACKED);
    emitCall(function, args, dst);
  }

  /** Emits a call whose result is dropped. */
  public void emitCall(String name, List<Arg> args) {
    emitCall(name, args, Arg.VOID);
  }

  /** Emits a call of an entry of the function table. */
  public void emitCall(Arg function, List<Arg> args, Arg dst) {
    requireScope();
    require(function, ArgKind.FUNCTION, "the callee");
    code.call(require(dst, ArgKind.REGISTER, "the destination"), function.value(), args);
  }

  /** Emits the end of the function with the result in a register. */
  public void emitRet(Arg result) {
    requireScope();
    code.ret(require(result, ArgKind.REGISTER, "the result"));
  }

  /** Emits a jump by a number of instructions, counted from this one; backward is legal. */
  public void emitGoto(long offset) {
    requireScope();
    code.jump(offset);
  }

  /** Emits a jump to a label. */
  public void emitGoto(Label target) {
    requireScope();
    code.jump(own(target).distanceFrom(code.instructionCount(), code));
  }

  /** Emits a branch: when the condition is 0, go on {@code falseOffset} instructions from here. */
  public void emitIf(Arg condition, long falseOffset) {
    requireScope();
    code.branch(require(condition, ArgKind.REGISTER, "the condition"), falseOffset);
  }

  /** Emits a branch: when the condition is 0, go on at a label. */
  public void emitIf(Arg condition, Label ifFalse) {
    requireScope();
    long register = require(condition, ArgKind.REGISTER, "the condition");
    code.branch(register, own(ifFalse).distanceFrom(code.instructionCount(), code));
  }

  /** A label for jumps within the current function. */
  public Label newLabel() {
    Label label = new Label(requireScope());
    labels.add(label);
    return label;
  }

  /** Says that a label means the next instruction. */
  public void place(Label label) {
    requireScope();
    if (own(label).isPlaced()) {
      throw refused("a label can be placed only once");
    }
    label.place(code.instructionCount(), code);
  }

  // ---------------------------------------------------------------- result

  /**
   * The program: registers numbered anew, then checked. The builder can go on.
   *
   * @throws InvalidProgramException an {@code InternalError} with TVM's text for what the check
   *     finds
   */
  public Executable get() {
    Executable executable = Formalizer.formalize(raw());
    BuildCheck.check(executable);
    return executable;
  }

  /**
   * What is legal but probably a mistake: a line for each parameter of a bytecode function that no
   * instruction reads. Empty where there is nothing to warn of.
   *
   * @throws InvalidProgramException as {@link #get}, when a function has no end
   */
  public List<String> warnings() {
    return UnusedInputs.warnings(raw());
  }

  private Executable raw() {
    if (open != null) {
      throw error("function '" + open.name() + "' has no end; call endFunction first")
          .withTvmMessage("Function " + open.name() + " EndFunction has not be been called");
    }
    return Executable.ofOwned(
        functions, constants.constants(), memoryScopes, code.offsets(), code.words());
  }

  private FunctionInfo define(
      String name, FunctionKind kind, long numInputs, List<String> paramNames, long registers) {
    int entry = (int) declareFunction(name, kind).value();
    if (functions.get(entry).numArgs() != FunctionInfo.DECLARED_ONLY) {
      throw error("function '" + name + "' is already defined")
          .withTvmMessage("Function " + name + " already defined");
    }
    if (numInputs < 0) {
      throw refused(
          "function '" + name + "' cannot have " + numInputs + " parameters; expected 0 or more");
    }
    if (!paramNames.isEmpty() && paramNames.size() != numInputs) {
      throw error(
              "function '"
                  + name
                  + "' has "
                  + numInputs
                  + (numInputs == 1 ? " parameter, but " : " parameters, but ")
                  + paramNames.size()
                  + (paramNames.size() == 1 ? " parameter name: " : " parameter names: ")
                  + paramNames)
          .withTvmMessage(
              "Function "
                  + name
                  + " defined with "
                  + numInputs
                  + " arguments, but the list of parameter names has "
                  + paramNames.size()
                  + " names ("
                  + paramNames
                  + ")");
    }
    long start = kind == FunctionKind.VM ? code.instructionCount() : 0;
    FunctionInfo info = new FunctionInfo(kind, name, start, 0, numInputs, registers, paramNames);
    functions.set(entry, info);
    return info;
  }

  private FunctionInfo requireScope() {
    if (open == null) {
      throw new InvalidProgramException(
              ErrorKind.VALUE,
              "an instruction belongs to a function, but none is open\n  what to do: begin one with"
                  + " function or emitFunction")
          .withTvmMessage("emit should happen in a function scope");
    }
    return open;
  }

  private Label own(Label label) {
    if (!label.isOf(open)) {
      throw refused("a label belongs to the function that was open when it was made");
    }
    return label;
  }

  private static long require(Arg arg, ArgKind kind, String role) {
    if (arg.kind() != kind) {
      throw refused(role + " must be a " + kind + " argument, but got " + arg);
    }
    return arg.value();
  }

  private static InvalidProgramException error(String message) {
    return new InvalidProgramException(ErrorKind.INTERNAL, message);
  }

  private static InvalidProgramException refused(String message) {
    return new InvalidProgramException(ErrorKind.VALUE, message);
  }
}
