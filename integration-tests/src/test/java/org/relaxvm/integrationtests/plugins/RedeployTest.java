package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.ref.Reference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * A server loads a plugin in a class loader of its own, uses it, and drops it for a newer one.
 * After that nothing of RelaxVM may refer to the loader: no thread, no pool, no cache.
 */
class RedeployTest {
  private static final int ROUNDS = 200;
  private static final int WARM_UP = 20;
  private static final int FEW_ROUNDS = 5;

  private static final String HOST_PROGRAM =
      """
      @apply(f, x):
        call  vm.builtin.invoke_closure in: %vm, %0, %1 dst: %2
        ret   %2
      @keep(f):
        ret   %0
      @fresh():
        call  vm.builtin.alloc_storage  in: %vm, shape[64], i0, dtype uint8, "global" dst: %0
        call  vm.builtin.alloc_tensor   in: %0, i0, shape[16], dtype float32 dst: %1
        ret   %1
      """;

  private static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();

  @TempDir private static Path folder;
  private static Path jar;
  private static int deployed;

  @BeforeAll
  static void buildPlugin() throws Exception {
    jar =
        GoodPlugin.builder()
            // A class that does not exist: reporting it must not keep the jar open.
            .service(BackendProvider.class, "acme.AcmeProvider", "acme.Absent")
            .build(folder.resolve("acme.jar"));
  }

  @Test
  void aPluginIsLoadedUsedAndUnloadedTwoHundredTimes() throws Exception {
    DroppedLoaders dropped = new DroppedLoaders();
    for (int round = 0; round < WARM_UP; round++) {
      dropped.add(deploy("Tidy", Runnable::run));
    }
    dropped.awaitAll();
    int classes = CLASSES.getLoadedClassCount();
    long files = openFiles();
    for (int round = 0; round < ROUNDS; round++) {
      dropped.add(deploy("Tidy", Runnable::run));
    }
    dropped.awaitAll();
    assertThat(CLASSES.getLoadedClassCount()).as("loaded classes").isLessThan(classes + ROUNDS);
    assertThat(openFiles()).as("open files").isLessThan(files + ROUNDS / 2);
  }

  @Test
  void aPluginThatClosesNothingIsUnloadedAllTheSame() throws Exception {
    DroppedLoaders dropped = new DroppedLoaders();
    for (int round = 0; round < FEW_ROUNDS; round++) {
      dropped.add(deploy("Forgetful", Runnable::run));
    }
    dropped.awaitAll();
  }

  @Test
  void aForgottenResultGivesItsMemoryBackWhileThePluginIsUnloaded() throws Exception {
    DroppedLoaders dropped = new DroppedLoaders();
    AtomicReference<AtomicInteger> liveBlocks = new AtomicReference<>();
    dropped.add(
        RedeployTest.<Consumer<Consumer<AtomicInteger>>>deploy(
            "Leaky", leaky -> leaky.accept(liveBlocks::set)));
    dropped.awaitAll();
    assertThat(liveBlocks.get()).hasValue(0);
  }

  @Test
  void aVmThatLivesOnKeepsNothingOfAPluginThatUsedIt() throws Exception {
    DroppedLoaders dropped = new DroppedLoaders();
    try (VirtualMachine vm =
        VirtualMachine.builder(Program.of(Assembler.parse(HOST_PROGRAM))).build()) {
      for (int round = 0; round < FEW_ROUNDS; round++) {
        dropped.add(
            RedeployTest.<Consumer<VirtualMachine>>deploy("Guest", guest -> guest.accept(vm)));
      }
      dropped.awaitAll();
      Reference.reachabilityFence(vm);
    }
  }

  @Test
  void relaxVmItselfIsUnloadedWithThePlugin() throws Exception {
    List<URL> all = new ArrayList<>(List.of(jar.toUri().toURL()));
    for (Path entry : OurModules.classPath()) {
      // Once loaded, the native parts of JOCL and LWJGL refer to their classes for ever.
      if (!entry.toString().contains("jocl") && !entry.toString().contains("lwjgl")) {
        all.add(entry.toUri().toURL());
      }
    }
    DroppedLoaders dropped = new DroppedLoaders();
    for (int round = 0; round < FEW_ROUNDS; round++) {
      URLClassLoader loader =
          new URLClassLoader(all.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      dropped.add(deploy(loader, "SelfContained", Runnable::run));
    }
    // The JDK keeps the record type that was last compared, softly: until memory runs short.
    dropped.awaitAllBut(1);
  }

  private static <T> ClassLoader deploy(String application, Consumer<T> use) throws Exception {
    // A file of its own, as each version of a plugin is.
    Path copy = Files.copy(jar, folder.resolve("acme-" + deployed++ + ".jar"));
    return deploy(
        new URLClassLoader(new URL[] {copy.toUri().toURL()}, RedeployTest.class.getClassLoader()),
        application,
        use);
  }

  /** Loads the plugin, uses an object of it, and drops all; the loader is for watching only. */
  @SuppressWarnings("unchecked")
  private static <T> ClassLoader deploy(URLClassLoader made, String application, Consumer<T> use)
      throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = made) {
      // As application servers do while code of a deployment runs.
      Thread.currentThread().setContextClassLoader(loader);
      Class<?> type = loader.loadClass("acme.AcmeApplication$" + application);
      use.accept((T) type.getConstructor().newInstance());
      return loader;
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static long openFiles() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    assumeTrue(
        system instanceof UnixOperatingSystemMXBean, "open files are counted on Unix systems only");
    return ((UnixOperatingSystemMXBean) system).getOpenFileDescriptorCount();
  }
}
