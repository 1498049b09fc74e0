package org.relaxvm.backendtestkit.broken;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.relaxvm.backendtestkit.BackendUnderTest;

/**
 * What the kit says of a backend.
 *
 * @param failures messages by the name of the test's method
 * @param passed names of tests that passed
 * @param aborted reasons by the name of the test's method
 */
record KitRun(
    TreeMap<String, String> failures, Set<String> passed, TreeMap<String, String> aborted) {
  /** Runs the kit, or one class of it, in this thread. */
  static KitRun of(BackendUnderTest backend, Class<?>... classes) {
    KitRun run = new KitRun(new TreeMap<>(), new TreeSet<>(), new TreeMap<>());
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
    for (Class<?> type : classes) {
      request.selectors(DiscoverySelectors.selectClass(type));
    }
    LauncherDiscoveryRequest built = request.build();
    ScopedValue.where(BrokenKit.BACKEND, backend)
        .run(() -> LauncherFactory.create().execute(built, new Listener(run)));
    return run;
  }

  private record Listener(KitRun run) implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (!test.isTest()) {
        return;
      }
      String name = test.getDisplayName().replace("()", "");
      String message = result.getThrowable().map(Listener::text).orElse("");
      switch (result.getStatus()) {
        case SUCCESSFUL -> run.passed.add(name);
        case ABORTED -> run.aborted.put(name, message);
        case FAILED -> run.failures.put(name, message);
      }
    }

    /** The message, then those that were added to it, a line each. */
    private static String text(Throwable failure) {
      StringBuilder text = new StringBuilder(String.valueOf(failure));
      for (Throwable added : failure.getSuppressed()) {
        text.append('\n').append(added.getMessage());
      }
      return text.toString();
    }
  }
}
