package org.relaxvm.backendvulkan;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.HandleKind;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * The driver of this machine, but for methods that were told to fail or to give something else:
 * those of {@link Vulkan} and those of its devices.
 */
final class FaultyDriver {
  private final Vulkan real = LwjglVulkan.load();
  private final Map<String, VulkanStatusException> failures = new ConcurrentHashMap<>();
  private final Map<String, Function<Object[], Object>> answers = new ConcurrentHashMap<>();
  private final Map<String, Consumer<Object[]>> observers = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> calls = new ConcurrentHashMap<>();

  /** What a backend is opened with. */
  Vulkan driver() {
    return wrap(Vulkan.class, real);
  }

  /** Lets a method fail from now on. */
  void fail(String method, String call, int code) {
    failures.put(method, new VulkanStatusException(call, code));
  }

  /** Lets a method work again. */
  void heal(String method) {
    failures.remove(method);
  }

  /** Lets a method give this. */
  void answer(String method, Object value) {
    answers.put(method, args -> value);
  }

  /** Lets a method give what this makes of its arguments. */
  void answer(String method, Function<Object[], Object> answer) {
    answers.put(method, answer);
  }

  /** Shows the arguments of a method, which works as before. */
  void observe(String method, Consumer<Object[]> observer) {
    observers.put(method, observer);
  }

  /** How often a method was called. */
  long calls(String method) {
    return calls.getOrDefault(method, new AtomicLong()).get();
  }

  Map<HandleKind, Long> liveHandles() {
    return real.liveHandles();
  }

  private <T> T wrap(Class<T> type, T wrapped) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          String name = method.getName();
          calls.computeIfAbsent(name, key -> new AtomicLong()).incrementAndGet();
          VulkanStatusException failure = failures.get(name);
          if (failure != null) {
            throw new VulkanStatusException(failure.call(), failure.code());
          }
          Function<Object[], Object> answer = answers.get(name);
          if (answer != null) {
            return answer.apply(args);
          }
          observers.getOrDefault(name, none -> {}).accept(args);
          try {
            Object given = method.invoke(wrapped, args);
            return given instanceof DeviceCalls device ? wrap(DeviceCalls.class, device) : given;
          } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
