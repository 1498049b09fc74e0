package org.relaxvm.compiler.pass;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.fuse.RewriteDataflowReshape;
import org.relaxvm.compiler.pass.lower.RemovePurityChecking;
import org.relaxvm.compiler.pass.lower.ToNonDataflow;
import org.relaxvm.compiler.pass.memory.CallTirRewrite;
import org.relaxvm.compiler.pass.memory.KillAfterLastUse;
import org.relaxvm.compiler.pass.memory.LowerAllocTensor;
import org.relaxvm.compiler.pass.memory.StaticPlanBlockMemory;

/** Random programs give the same, bit by bit, after each pass from operators to planned memory. */
class FusionSemanticsTest {
  private static final int PROGRAMS = 60;

  @Test
  void eachPassLeavesResultsAsTheyAre() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("FusionSemanticsTest: -Drelaxvm.seed=" + seed);
    int groups = 0;
    int shared = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      Random random = new Random(seed + i);
      String text = new Programs(random).text(random.nextBoolean() ? "n" : "3");
      IRModule program = Stages.parse(text);
      Object[] args = {tensor(random, 3, 4), tensor(random, 4, 3)};
      Object expected = new RelaxEvaluator(program).run("main", args);
      ScalarConvention scalars = ScalarConvention.values()[random.nextInt(2)];
      PassContext context =
          PassContext.DEFAULT.withScalars(scalars).withMaxFuseDepth(1 + random.nextInt(12));
      IRModule legal = Stages.legal(program, context);
      assertSame(expected, legal, args, "legalized", seed + i, text);
      IRModule fused = Stages.fused(legal, context);
      assertSame(expected, fused, args, "fused", seed + i, text);
      groups += Stages.names(fused).stream().anyMatch(name -> name.startsWith("fused_")) ? 1 : 0;
      IRModule views = Stages.run(fused, context, new RewriteDataflowReshape());
      assertSame(expected, views, args, "with views", seed + i, text);
      IRModule planned =
          Stages.run(
              views,
              context,
              new ToNonDataflow(),
              new RemovePurityChecking(),
              new CallTirRewrite(),
              new StaticPlanBlockMemory());
      assertSame(expected, planned, args, "planned", seed + i, text);
      shared += storages(planned) < tensors(planned) ? 1 : 0;
      IRModule lowered =
          Stages.run(planned, context, new LowerAllocTensor(), new KillAfterLastUse());
      assertSame(expected, lowered, args, "lowered", seed + i, text);
    }
    assertThat(groups).as("programs with groups").isGreaterThan(PROGRAMS / 3);
    assertThat(shared).as("programs with shared memory").isPositive();
  }

  private static long storages(IRModule module) {
    return Stages.main(module).stream().filter(l -> l.contains("memory.alloc_storage")).count();
  }

  private static long tensors(IRModule module) {
    return Stages.main(module).stream().filter(l -> l.contains("memory.alloc_tensor")).count();
  }

  private static void assertSame(
      Object expected, IRModule module, Object[] args, String stage, long seed, String text) {
    assertThat(values(new RelaxEvaluator(module).run("main", args)))
        .as(() -> stage + ", -Drelaxvm.seed=" + seed + "\n" + text + "\n" + Stages.main(module))
        .isEqualTo(values(expected));
  }

  private static List<Object> values(Object result) {
    return result instanceof List<?> fields
        ? fields.stream().<Object>map(FusionSemanticsTest::values).toList()
        : List.of(((Tensor) result).shape(), floats((Tensor) result));
  }

  private static List<Float> floats(Tensor tensor) {
    List<Float> all = new ArrayList<>();
    for (float value : tensor.toFloatArray()) {
      all.add(value);
    }
    return all;
  }

  private static Tensor tensor(Random random, long... dims) {
    float[] values = new float[(int) LongStream.of(dims).reduce(1, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() * 4 - 2;
    }
    return Tensor.of(values, Shape.of(dims));
  }

  /** Makes dataflow programs of matrices: {@code (n, 4)}, {@code (4, n)} and what comes of them. */
  private static final class Programs {
    private static final List<String> UNARY =
        List.of("R.sin(%s)", "R.negative(%s)", "R.nn.relu(%s)", "R.tanh(%s)", "R.abs(%s)");
    private static final List<String> BINARY =
        List.of("R.add", "R.multiply", "R.subtract", "R.maximum");

    private final Random random;
    private final Map<String, List<String>> shapes = new LinkedHashMap<>();
    private final StringBuilder bindings = new StringBuilder();

    Programs(Random random) {
      this.random = random;
    }

    String text(String n) {
      shapes.put("x", List.of(n, "4"));
      shapes.put("y", List.of("4", n));
      int count = 3 + random.nextInt(10);
      for (int i = 0; i < count; i++) {
        bind("v" + i, i);
      }
      List<String> outputs = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        String of = i == 0 ? last() : any();
        bindings.append("        o").append(i).append(" = R.sin(").append(of).append(")\n");
        outputs.add("o" + i);
      }
      String extent = n.equals("n") ? "\"n\"" : n;
      String results = String.join(", ", outputs);
      return "@R.function\ndef main(x: R.Tensor(("
          + extent
          + ", 4), \"float32\"), y: R.Tensor((4, "
          + n
          + "), \"float32\")):\n    with R.dataflow():\n"
          + bindings
          + "        R.output("
          + results
          + ")\n    return "
          + (outputs.size() == 1 ? results : "(" + results + ")")
          + "\n";
    }

    private String any() {
      List<String> names = List.copyOf(shapes.keySet());
      // Often one of the last, so that there are chains.
      int back = random.nextInt(random.nextBoolean() ? Math.min(2, names.size()) : names.size());
      return names.get(names.size() - 1 - back);
    }

    private List<String> shapeOf(String name) {
      return Objects.requireNonNull(shapes.get(name));
    }

    private String last() {
      return List.copyOf(shapes.keySet()).getLast();
    }

    private void bind(String name, int number) {
      String a = any();
      List<String> shape = shapeOf(a);
      switch (random.nextInt(10)) {
        case 0 -> add(name, "R.permute_dims(" + a + ")", shape.reversed());
        case 1 ->
            add(
                name,
                "R.reshape(" + a + ", R.shape([" + String.join(", ", shape.reversed()) + "]))",
                shape.reversed());
        case 2 -> {
          int axis = random.nextInt(2);
          List<String> reduced = new ArrayList<>(shape);
          reduced.set(axis, "1");
          add(name, "R.sum(" + a + ", axis=[" + axis + "], keepdims=True)", reduced);
        }
        case 3 -> {
          String b = any();
          if (shape.get(1).equals(shapeOf(b).get(0))) {
            add(name, "R.matmul(" + a + ", " + b + ")", List.of(shape.get(0), shapeOf(b).get(1)));
          } else {
            unary(name, a);
          }
        }
        case 4 -> {
          int axis = shape.indexOf("4");
          if (axis < 0) {
            unary(name, a);
            return;
          }
          bindings
              .append("        t")
              .append(number)
              .append(" = R.split(" + a + ", 2, axis=" + axis + ")\n");
          List<String> half = new ArrayList<>(shape);
          half.set(axis, "2");
          add(name, "t" + number + "[" + random.nextInt(2) + "]", half);
        }
        case 5, 6, 7 -> {
          String b = any();
          List<String> common = broadcast(shape, shapeOf(b));
          if (common.isEmpty()) {
            unary(name, a);
          } else {
            String op = BINARY.get(random.nextInt(BINARY.size()));
            add(name, op + "(" + a + ", " + b + ")", common);
          }
        }
        default -> unary(name, a);
      }
    }

    private void unary(String name, String a) {
      add(name, String.format(UNARY.get(random.nextInt(UNARY.size())), a), shapeOf(a));
    }

    private static List<String> broadcast(List<String> a, List<String> b) {
      List<String> common = new ArrayList<>();
      for (int i = 0; i < a.size(); i++) {
        if (!a.get(i).equals(b.get(i)) && !a.get(i).equals("1") && !b.get(i).equals("1")) {
          return List.of();
        }
        common.add(a.get(i).equals("1") ? b.get(i) : a.get(i));
      }
      return common;
    }

    private void add(String name, String value, List<String> shape) {
      bindings.append("        ").append(name).append(" = ").append(value).append('\n');
      shapes.put(name, shape);
    }
  }
}
