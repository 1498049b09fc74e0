package org.relaxvm.compiler.objects.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.release.ReleaseConversion;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.text.TirText;

/** Kernels as objects of older releases, and back. */
@Tag("effort")
class KernelReleasesTest {
  private static final int SCHEDULES = 50;
  private static final List<TvmRelease> OLDER =
      List.of(TvmRelease.V0_22, TvmRelease.V0_24, TvmRelease.V0_25);
  private static final BiPredicate<Object, Object> FREE_EQUALITY =
      (left, right) ->
          org.relaxvm.objects.compare.StructuralEquality.areEqual(
              left, right, Graphs.TYPES, new CompareOptions(true, false));

  private static final Set<String> NOT_HELD = Set.of();

  /** Expressions that older releases have another form of, and that form. */
  private static final Set<String> OTHER_FORM = Set.of("type-packed");

  private static ObjectNode throughRelease(
      ObjectNode newest, TvmRelease release, ObjectTypes types) {
    Object older = ReleaseConversion.downgrade(newest, release, types);
    return (ObjectNode) requireNonNull(ReleaseConversion.upgrade(older, release, Graphs.TYPES));
  }

  private static void assertComesBack(PrimFunc kernel, TvmRelease release, ObjectTypes types) {
    NodeMaker nodes = new NodeMaker(Graphs.TYPES);
    ObjectNode written = KernelWriter.write(kernel, new ScalarWriter(nodes), nodes);
    ObjectNode again = throughRelease(written, release, types);
    Problems problems = new Problems();
    PrimFunc read =
        KernelReader.read(kernel.name(), again, new ScalarReader(problems), problems, "<root>")
            .orElse(kernel);
    problems.throwIfAny(kernel.name());
    assertThat(read).isNotSameAs(kernel);
    assertThat(StructuralEquality.areEqual(kernel, read))
        .withFailMessage(
            () -> "got\n" + TirText.print(read) + "\nexpected\n" + TirText.print(kernel))
        .isTrue();
  }

  @Test
  void kernelsComeBack() {
    List<PrimFunc> kernels = new ArrayList<>();
    KernelCorpus.kernels().forEach(kernel -> kernels.add(kernel.function()));
    RandomSchedules schedules = new RandomSchedules();
    for (int seed = 0; seed < SCHEDULES; seed++) {
      kernels.add(schedules.of(seed).scheduled());
    }
    kernels.addAll(KernelsTest.allStatements());
    assertThat(kernels).hasSizeGreaterThan(350);
    // The first generation differs most. At quick effort each gets a part of the kernels.
    Effort effort = Effort.chosen();
    for (TvmRelease release : OLDER) {
      ObjectTypes types = TvmSchema.of(release).objectTypes();
      int step = release == TvmRelease.V0_22 ? effort.pick(3, 1, 1) : effort.pick(12, 1, 1);
      for (int i = release.ordinal() % step; i < kernels.size(); i += step) {
        assertComesBack(kernels.get(i), release, types);
      }
    }
  }

  @Test
  void goldenExpressionsComeBack() throws IOException {
    Map<String, ObjectNode> expressions = Graphs.expressions();
    for (TvmRelease release : OLDER) {
      ObjectTypes types = TvmSchema.of(release).objectTypes();
      Map<String, String> refused = new TreeMap<>();
      expressions.forEach(
          (name, newest) -> {
            try {
              Object again = throughRelease(newest, release, types);
              assertThat(FREE_EQUALITY.test(newest, again))
                  .as(release + " " + name)
                  .isNotEqualTo(OTHER_FORM.contains(name));
            } catch (InvalidProgramException e) {
              refused.put(name, e.getMessage());
            }
          });
      System.out.println(
          "golden expressions that release " + release + " does not hold: " + refused);
      assertThat(refused.keySet()).as(release.text()).isEqualTo(NOT_HELD);
    }
  }
}
