package org.relaxvm.backendvulkan;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.Commands;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.HandleKind;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * The driver of this machine, but for methods that were told to fail or to give something else:
 * those of {@link Vulkan}, of its devices and of their command buffers.
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

  /** Handles the calls of one object. */
  private final class Handler implements InvocationHandler {
    private final Object wrapped;

    Handler(Object wrapped) {
      this.wrapped = wrapped;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
        throws Throwable {
      String name = method.getName();
      calls.computeIfAbsent(name, key -> new AtomicLong()).incrementAndGet();
      VulkanStatusException failure = failures.get(name);
      if (failure != null) {
        throw new VulkanStatusException(failure.call(), failure.code());
      }
      Object[] given = args == null ? new Object[0] : args;
      Function<Object[], Object> answer = answers.get(name);
      if (answer != null) {
        return answer.apply(given);
      }
      observers.getOrDefault(name, none -> {}).accept(given);
      try {
        return seen(method.invoke(wrapped, unwrapped(given)));
      } catch (InvocationTargetException e) {
        throw Objects.requireNonNull(e.getCause());
      }
    }
  }

  private @Nullable Object seen(@Nullable Object given) {
    return switch (given) {
      case DeviceCalls device -> wrap(DeviceCalls.class, device);
      case Commands commands -> wrap(Commands.class, commands);
      case null, default -> given;
    };
  }

  /** The driver knows its own commands only. */
  private static Object[] unwrapped(Object[] args) {
    Object[] own = args.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof Commands
          && Proxy.isProxyClass(own[i].getClass())
          && Proxy.getInvocationHandler(own[i]) instanceof Handler handler) {
        own[i] = handler.wrapped;
      }
    }
    return own;
  }

  private <T> T wrap(Class<T> type, Object wrapped) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(), new Class<?>[] {type}, new Handler(wrapped)));
  }
}
