package org.relaxvm.interoptvm.load;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.relaxvm.interoptvm.ChildJvm;

/** Two class loaders of one process that both run libraries. */
final class TwoLoaders {
  private TwoLoaders() {}

  /**
   * Two libraries, the second of which the linker keeps for good. Prints what came of each step.
   */
  public static void main(String[] arguments) throws Exception {
    Function<String, String> first = user();
    Function<String, String> second = user();
    String file = arguments[0];
    String kept = arguments[1];
    System.out.println("first: " + first.apply(file));
    System.out.println("second: " + second.apply(file));
    System.out.println("first: " + first.apply("call"));
    System.out.println("first: " + first.apply("close"));
    System.out.println("second: " + second.apply(file));
    System.out.println("second: " + second.apply("call"));
    System.out.println("second: " + second.apply("close"));
    System.out.println("first: " + first.apply(kept));
    System.out.println("first: " + first.apply("call"));
    System.out.println("first: " + first.apply("close"));
    System.out.println("second: " + second.apply(kept));
    System.out.println("second: " + second.apply(file));
    System.out.println("second: " + second.apply("call"));
  }

  @SuppressWarnings("unchecked") // it is what it says
  private static Function<String, String> user() throws ReflectiveOperationException {
    List<URL> entries = new ArrayList<>();
    for (String entry : ChildJvm.classPath().split(":")) {
      try {
        entries.add(Path.of(entry).toUri().toURL());
      } catch (MalformedURLException e) {
        throw new AssertionError(e);
      }
    }
    ClassLoader loader =
        new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    return (Function<String, String>)
        loader.loadClass(LoaderUser.class.getName()).getConstructor().newInstance();
  }
}
