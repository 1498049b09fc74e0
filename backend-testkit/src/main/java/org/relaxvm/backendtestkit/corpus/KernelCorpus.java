package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.NameFilter;
import org.slf4j.LoggerFactory;

/**
 * The kernels: written by hand for what the kernel IR has, and one of each operator for each dtype
 * with symbolic extents, and for some with constant ones. The evaluator says what they give.
 */
public final class KernelCorpus {
  private KernelCorpus() {}

  /** All kernels, each with another name; made anew. */
  public static List<KernelCase> kernels() {
    return families().values().stream().flatMap(List::stream).toList();
  }

  /** All kernels by the name of their family; made anew. */
  public static Map<String, List<KernelCase>> families() {
    Map<String, List<KernelCase>> families = new LinkedHashMap<>();
    add(families, "written", WrittenCases::addTo);
    add(families, "elementwise", ElementwiseCases::addTo);
    add(families, "movement", MovementCases::addTo);
    add(families, "index maps", IndexMapCases::addTo);
    add(families, "lookup", LookupCases::addTo);
    add(families, "neural", NeuralCases::addTo);
    add(families, "attention", AttentionCases::addTo);
    return families;
  }

  private static void add(
      Map<String, List<KernelCase>> families, String name, Consumer<CaseList> adder) {
    CaseList list = new CaseList();
    adder.accept(list);
    families.put(name, list.cases());
  }

  /** The kernels that {@code -Drelaxvm.kernel=} chooses by name. */
  public static NameFilter filter() {
    return NameFilter.of("relaxvm.kernel");
  }

  /**
   * Kernels for a test that need not see all of them in each run: those that {@link #filter()}
   * chooses by name, or at quick effort some, or all. A seed chooses them, {@code -Drelaxvm.seed=};
   * it is logged.
   *
   * @param test whose sample it is
   * @param size how many kernels there are at quick effort
   */
  public static List<KernelCase> sample(Class<?> test, int size) {
    List<KernelCase> kernels = new ArrayList<>(kernels());
    NameFilter filter = filter();
    if (filter.isGiven()) {
      kernels.removeIf(kernel -> !filter.matches(kernel.name()));
    } else if (!Effort.chosen().isComplete()) {
      long seed = Long.getLong("relaxvm.seed", System.nanoTime());
      LoggerFactory.getLogger(test).info("{} kernels of the corpus, -Drelaxvm.seed={}", size, seed);
      kernels.sort(Comparator.comparing(KernelCase::name));
      Collections.shuffle(kernels, new Random(seed));
      kernels = kernels.subList(0, size);
    }
    return List.copyOf(kernels);
  }
}
