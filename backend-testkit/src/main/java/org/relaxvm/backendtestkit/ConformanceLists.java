package org.relaxvm.backendtestkit;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the exclusions and known failures of a backend to the tests of the kit. A failure of a
 * random test is told its seed, since not everybody has a logger.
 *
 * <p>Rationale: docs/rationale/backend-testkit.md, "Why are excluded tests and known failures two
 * lists?"
 */
final class ConformanceLists implements InvocationInterceptor, AfterTestExecutionCallback {
  private final Logger log = LoggerFactory.getLogger(ConformanceLists.class);

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    BaseConformanceTest test = (BaseConformanceTest) method.getTarget().orElseThrow();
    BackendUnderTest backend = test.backendUnderTest();
    Class<?> owner = method.getExecutable().getDeclaringClass();
    String name = owner.getSimpleName() + "." + method.getExecutable().getName();
    String excluded = backend.exclusions().get(name);
    if (excluded == null) {
      excluded = backend.exclusions().get(owner.getSimpleName() + ".*");
    }
    String known = backend.knownFailures().get(name);
    if (excluded != null) {
      invocation.skip();
      log.info("{} is excluded: {}", name, excluded);
      throw new TestAbortedException("excluded: " + excluded);
    }
    if (known == null) {
      invocation.proceed();
      return;
    }
    String failure = failureOf(invocation);
    if (failure == null) {
      throw new AssertionError(
          name + " passes, but is listed as a known failure (" + known + "): take it off the list");
    }
    log.info("{} fails as known ({}): {}", name, known, failure);
    throw new TestAbortedException("known failure: " + known);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getRequiredTestInstance() instanceof BaseConformanceTest test
        && test.seed() != null) {
      AssertionError note = new AssertionError("repeat it with -Drelaxvm.seed=" + test.seed());
      note.setStackTrace(new StackTraceElement[0]);
      context.getExecutionException().ifPresent(failure -> failure.addSuppressed(note));
    }
  }

  /** A bridge: whatever a test throws is its failure. */
  private static @Nullable String failureOf(Invocation<@Nullable Void> invocation) {
    try {
      invocation.proceed();
      return null;
    } catch (Throwable e) {
      return String.valueOf(e);
    }
  }

  /** The names in the lists of a backend that look like tests of a class but are none. */
  static List<String> unknownNames(BackendUnderTest backend, Class<?> testClass) {
    List<String> unknown = new ArrayList<>();
    for (Map<String, String> list : List.of(backend.exclusions(), backend.knownFailures())) {
      for (String name : list.keySet()) {
        if (!isTest(name, testClass)) {
          unknown.add(name);
        }
      }
    }
    return unknown;
  }

  private static boolean isTest(String name, Class<?> testClass) {
    for (Class<?> type = testClass; type != null; type = type.getSuperclass()) {
      String prefix = type.getSimpleName() + ".";
      if (name.startsWith(prefix)) {
        String method = name.substring(prefix.length());
        return method.equals("*")
            || Arrays.stream(type.getDeclaredMethods())
                .anyMatch(m -> m.getName().equals(method) && m.isAnnotationPresent(Test.class));
      }
    }
    // The name of another class, or of none: the class that it starts with must be in the kit.
    return name.matches(
        "Base(Provider|Allocator|Copy|Stream|Capture|Module|KernelIr|KernelLibrary|Concurrency|Lifecycle)"
            + "ConformanceTest\\..+");
  }
}
