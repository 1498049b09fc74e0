package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.testsupport.Effort;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ConformanceSampleTest {
  private static final String SEED = "relaxvm.seed";

  private final String effort = System.getProperty(Effort.PROPERTY, "");
  private final String seed = System.getProperty(SEED, "");

  @BeforeEach
  void chooseASeed() {
    System.setProperty(SEED, "11");
  }

  @AfterEach
  void restore() {
    System.setProperty(Effort.PROPERTY, effort);
    if (seed.isEmpty()) {
      System.clearProperty(SEED);
    } else {
      System.setProperty(SEED, seed);
    }
  }

  private static List<String> chosen(int oneKernelOf) {
    ConformanceSample sample = ConformanceSample.of(ConformanceSampleTest.class, oneKernelOf);
    return KernelCorpus.kernels().stream().filter(sample::includes).map(KernelCase::name).toList();
  }

  @Test
  void quickEffortRunsAboutOneKernelOfSoManyAndTheSameOnesForASeed() {
    System.setProperty(Effort.PROPERTY, "quick");
    int all = KernelCorpus.kernels().size();
    List<String> first = chosen(8);
    assertThat(first).hasSizeBetween(all / 16, all / 4);
    assertThat(chosen(8)).isEqualTo(first);
    System.setProperty(SEED, "12");
    assertThat(chosen(8)).isNotEqualTo(first);
  }

  @Test
  void fullEffortRunsAll() {
    System.setProperty(Effort.PROPERTY, "full");
    assertThat(chosen(8)).hasSize(KernelCorpus.kernels().size());
    assertThat(ConformanceSample.of(ConformanceSampleTest.class, 8))
        .hasToString("all kernels of the corpus and all calls of the library, -Drelaxvm.seed=11");
  }

  @Test
  void aSampleSaysHowToRunItAgainAndHowToRunAll() {
    System.setProperty(Effort.PROPERTY, "quick");
    assertThat(ConformanceSample.of(ConformanceSampleTest.class, 8))
        .hasToString(
            "1 of 8 kernels of the corpus, 1 of 200 calls of the library, -Drelaxvm.seed=11"
                + " (-Drelaxvm.effort=full runs all)");
  }
}
