package org.relaxvm.backendopencl;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.relaxvm.backendopencl.driver.JoclDriver;
import org.relaxvm.backendopencl.driver.OpenCl;

/** The driver of this machine as devices give it that cannot compute with float64. */
final class WithoutFloat64 {
  private WithoutFloat64() {}

  static OpenCl driver() {
    OpenCl real = JoclDriver.load();
    return (OpenCl)
        Proxy.newProxyInstance(
            WithoutFloat64.class.getClassLoader(),
            new Class<?>[] {OpenCl.class},
            (proxy, method, args) -> {
              try {
                Object answer = method.invoke(real, args);
                return answer instanceof String text && method.getName().equals("text")
                    ? text.replace("cl_khr_fp64", "")
                    : answer;
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }
}
