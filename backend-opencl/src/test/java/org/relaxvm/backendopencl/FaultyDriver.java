package org.relaxvm.backendopencl;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendopencl.driver.HandleKind;
import org.relaxvm.backendopencl.driver.JoclDriver;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;

/** The driver of this machine, but for methods that were told to fail or to give something else. */
final class FaultyDriver implements InvocationHandler {
  private final OpenCl real = JoclDriver.load();
  private final Map<String, OpenClStatusException> failures = new ConcurrentHashMap<>();
  private final Map<String, Object> answers = new ConcurrentHashMap<>();
  private final Set<String> called = ConcurrentHashMap.newKeySet();

  /** What a backend is opened with. */
  OpenCl driver() {
    return (OpenCl)
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(), new Class<?>[] {OpenCl.class}, this);
  }

  /** Lets a method fail from now on. */
  void fail(String method, String call, int code) {
    failures.put(method, new OpenClStatusException(call, code));
  }

  /** Lets a method work again. */
  void heal(String method) {
    failures.remove(method);
  }

  /** Lets a method give this. */
  void answer(String method, Object value) {
    answers.put(method, value);
  }

  /** Names of the methods that were called. */
  Set<String> called() {
    return Set.copyOf(called);
  }

  Map<HandleKind, Long> liveHandles() {
    return real.liveHandles();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] args)
      throws Throwable {
    called.add(method.getName());
    OpenClStatusException failure = failures.get(method.getName());
    if (failure != null) {
      throw new OpenClStatusException(failure.call(), failure.code());
    }
    Object answer = answers.get(method.getName());
    if (answer != null) {
      return answer;
    }
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }
}
