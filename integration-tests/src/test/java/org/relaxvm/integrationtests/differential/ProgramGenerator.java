package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Makes random programs that pass the verifier; most of what they do makes sense. */
public final class ProgramGenerator {
  /** The number of parameters of {@code f0}, where programs begin. */
  public static final int MAIN_ARITY = 2;

  private static final int MOST_FUNCTIONS = 4;
  private static final int MOST_PARAMETERS = 3;

  private final RandomGenerator random;

  /** Makes programs from a source of random numbers. */
  public ProgramGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** A new program with the functions {@code f0}, {@code f1} and so on. */
  public Executable generate() {
    ExecBuilder builder = new ExecBuilder();
    List<Integer> arities = new ArrayList<>(List.of(MAIN_ARITY));
    for (int i = random.nextInt(MOST_FUNCTIONS); i > 0; i--) {
      arities.add(random.nextInt(MOST_PARAMETERS + 1));
    }
    for (int i = 0; i < arities.size(); i++) {
      builder.declareFunction("f" + i, FunctionKind.VM);
    }
    for (String name : HostFunctions.NAMES) {
      builder.declareFunction(name, FunctionKind.PACKED);
    }
    for (int i = 0; i < arities.size(); i++) {
      builder.emitFunction("f" + i, arities.get(i), names(arities.get(i)));
      Registers registers = new Registers(random, arities.get(i));
      StatementGenerator body = new StatementGenerator(random, builder, registers, arities, i);
      body.initialise();
      body.statements(3 + random.nextInt(8), 2);
      builder.emitRet(random.nextInt(20) == 0 ? Arg.VOID : registers.any());
      builder.endFunction("f" + i);
    }
    return builder.get();
  }

  private List<String> names(int arity) {
    return random.nextBoolean() ? List.of("p0", "p1", "p2").subList(0, arity) : List.of();
  }
}
