package org.relaxvm.cli.profile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.cost.CallArgument;
import org.relaxvm.tir.cost.Cost;
import org.relaxvm.tir.cost.CostModel;
import org.relaxvm.tir.cost.LibraryCost;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;

/**
 * What is known of the kernels that a program calls before it runs: the nodes of an imported model
 * that they come from, and their costs, those of its own kernels, which are there in the kernel IR,
 * and those of the kernel library. Not thread-safe.
 *
 * <p>Rationale: docs/rationale/cli.md, "How are kernel costs computed?"
 */
final class ProgramCosts {
  private static final Pattern TENSOR = Pattern.compile("([a-z0-9_]+)\\[([0-9,]*)\\]");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+(E-?[0-9]+)?");

  /** A call that was met before; most are met again and again. */
  private record Asked(String function, String arguments) {}

  private final Optional<Program> program;
  private final LibraryCost library = new LibraryCost();
  private final Map<String, CostModel> models = new HashMap<>();
  private final Map<Asked, Cost> known = new HashMap<>();

  /** The costs of functions of the kernel library only. */
  ProgramCosts() {
    this.program = Optional.empty();
  }

  /** The costs of a program's kernels. */
  ProgramCosts(Program program) {
    this.program = Optional.of(program);
    for (KernelModule module : program.modules()) {
      if (module.image().format().equals("tir")) {
        for (PrimFunc kernel : TirText.parse(text(module.image()), "kernels of the program")) {
          models.put(kernel.name(), new CostModel(kernel, library));
        }
      }
    }
  }

  /** The nodes of the imported model that the calls of a function come from. */
  List<String> sourceNodes(String function) {
    return program
        .map(p -> p.metadata().sourceNodes().ofCalls(p.executable(), function))
        .orElse(List.of());
  }

  private static String text(ModuleImage image) {
    return UTF_8.decode(image.bytes().asByteBuffer()).toString();
  }

  /** The cost of a call, with arguments as an event of a kernel has them. */
  Cost of(String function, String arguments) {
    return known.computeIfAbsent(new Asked(function, arguments), this::compute);
  }

  private Cost compute(Asked asked) {
    List<CallArgument> args = parse(asked.arguments);
    CostModel model = models.get(asked.function);
    return model == null ? library.of(asked.function, args) : model.of(args);
  }

  static List<CallArgument> parse(String arguments) {
    List<CallArgument> args = new ArrayList<>();
    for (String text : arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)) {
      args.add(argument(text));
    }
    return args;
  }

  private static CallArgument argument(String text) {
    Matcher tensor = TENSOR.matcher(text);
    if (tensor.matches()) {
      String dims = tensor.group(2);
      String[] extents = dims.isEmpty() ? new String[0] : dims.split(",", -1);
      long[] shape = new long[extents.length];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = Long.parseLong(extents[i]);
      }
      return new CallArgument.OfTensor(DType.parse(tensor.group(1)), Shape.of(shape));
    }
    if (text.equals("true") || text.equals("false")) {
      return new CallArgument.OfNumber(text.equals("true") ? 1 : 0);
    }
    return NUMBER.matcher(text).matches()
        ? new CallArgument.OfNumber(Double.parseDouble(text))
        : new CallArgument.Other();
  }
}
