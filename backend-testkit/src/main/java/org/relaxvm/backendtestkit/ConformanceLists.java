package org.relaxvm.backendtestkit;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.function.Executable;
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
    Listed listed = Listed.of(method);
    if (listed.excluded() != null) {
      invocation.skip();
      throw excluded(listed.name(), listed.excluded());
    }
    if (listed.known() == null) {
      invocation.proceed();
      return;
    }
    String failure = failureOf(invocation::proceed);
    if (failure == null) {
      throw passes(listed.name(), listed.known());
    }
    throw known(listed.name(), listed.known(), failure);
  }

  /** Of a factory that is listed, all tests are excluded, and at least one fails as known. */
  @Override
  @SuppressWarnings("unchecked") // All factories of the kit return streams of nodes.
  public <T extends @Nullable Object> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    Listed listed = Listed.of(method);
    if (listed.excluded() != null) {
      String reason = listed.excluded();
      invocation.skip();
      return (T)
          Stream.of(
              dynamicTest(
                  listed.name(),
                  () -> {
                    throw excluded(listed.name(), reason);
                  }));
    }
    T tests = invocation.proceed();
    if (listed.known() == null) {
      return tests;
    }
    String reason = listed.known();
    AtomicInteger failures = new AtomicInteger();
    DynamicTest last =
        dynamicTest(
            listed.name(),
            () -> {
              if (failures.get() == 0) {
                throw passes(listed.name(), reason);
              }
            });
    Stream<DynamicNode> all = (Stream<DynamicNode>) tests;
    return (T)
        Stream.concat(
            all.map(node -> mayFail(node, listed.name(), reason, failures)), Stream.of(last));
  }

  private DynamicNode mayFail(
      DynamicNode node, String name, String reason, AtomicInteger failures) {
    return switch (node) {
      case DynamicContainer container ->
          dynamicContainer(
              container.getDisplayName(),
              container.getChildren().map(child -> mayFail(child, name, reason, failures)));
      case DynamicTest test ->
          dynamicTest(
              test.getDisplayName(),
              () -> {
                String failure = failureOf(test.getExecutable());
                if (failure != null) {
                  failures.incrementAndGet();
                  throw known(name, reason, failure);
                }
              });
      default -> throw new IllegalStateException("no test and no container: " + node);
    };
  }

  private TestAbortedException excluded(String name, String reason) {
    log.info("{} is excluded: {}", name, reason);
    return new TestAbortedException("excluded: " + reason);
  }

  private TestAbortedException known(String name, String reason, String failure) {
    log.info("{} fails as known ({}): {}", name, reason, failure);
    return new TestAbortedException("known failure: " + reason);
  }

  private static AssertionError passes(String name, String reason) {
    return new AssertionError(
        name + " passes, but is listed as a known failure (" + reason + "): take it off the list");
  }

  /**
   * What the lists say of a test.
   *
   * @param name as in the lists
   * @param excluded the reason; null for one that is not excluded
   * @param known the reason; null for one that is no known failure
   */
  private record Listed(String name, @Nullable String excluded, @Nullable String known) {
    static Listed of(ReflectiveInvocationContext<Method> method) {
      BaseConformanceTest test = (BaseConformanceTest) method.getTarget().orElseThrow();
      BackendUnderTest backend = test.backendUnderTest();
      Class<?> owner = method.getExecutable().getDeclaringClass();
      String name = owner.getSimpleName() + "." + method.getExecutable().getName();
      String excluded = backend.exclusions().get(name);
      if (excluded == null) {
        excluded = backend.exclusions().get(owner.getSimpleName() + ".*");
      }
      return new Listed(name, excluded, backend.knownFailures().get(name));
    }
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getRequiredTestInstance() instanceof BaseConformanceTest test
        && test.seed() != null) {
      AssertionError hint = new AssertionError("repeat it with -Drelaxvm.seed=" + test.seed());
      hint.setStackTrace(new StackTraceElement[0]);
      context.getExecutionException().ifPresent(failure -> failure.addSuppressed(hint));
    }
  }

  /** A bridge: whatever a test throws is its failure. */
  private static @Nullable String failureOf(Executable test) {
    try {
      test.execute();
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

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class);
  }

  private static boolean isTest(String name, Class<?> testClass) {
    for (Class<?> type = testClass; type != null; type = type.getSuperclass()) {
      String prefix = type.getSimpleName() + ".";
      if (name.startsWith(prefix)) {
        String method = name.substring(prefix.length());
        return method.equals("*")
            || Arrays.stream(type.getDeclaredMethods())
                .anyMatch(m -> m.getName().equals(method) && isTest(m));
      }
    }
    // The name of another class, or of none: the class that it starts with must be in the kit.
    return name.matches(
        "Base(Provider|Allocator|Copy|Stream|Capture|Module|KernelIr|KernelLibrary|Concurrency|Lifecycle)"
            + "ConformanceTest\\..+");
  }
}
