package org.relaxvm.api.discovery;

import java.lang.foreign.SymbolLookup;
import java.util.Arrays;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;

/**
 * Why a provider cannot be used, in words for the user.
 *
 * @param isOfJar whether the jar is at fault, not the machine
 * @param detail the reason
 * @param remedy what the user can do; empty when there is nothing to do
 */
public record Problem(boolean isOfJar, String detail, String remedy, @Nullable Throwable cause) {
  private static final String REPLACE = "replace or remove the jar";

  /** A jar that breaks a rule of the SPI. */
  public static Problem broken(String detail, String remedy) {
    return new Problem(true, detail, remedy, null);
  }

  /** A jar that needs what the machine lacks. */
  public static Problem unusable(String detail, String remedy) {
    return new Problem(false, detail, remedy, null);
  }

  /** A call into the jar that failed. */
  public static Problem ofFailure(String doing, Throwable failure) {
    Throwable root = rootOf(failure);
    String prefix = doing.isEmpty() ? "" : doing + ": ";
    return new Problem(!lacksLibrary(root), prefix + textOf(root), remedyOf(root), failure);
  }

  /** A backend that was asked to open and refused: with a reason of its own, or by failing. */
  public static Problem ofOpen(Throwable failure) {
    if (failure instanceof RelaxException refusal) {
      return new Problem(false, refusal.problem(), refusal.remedy().orElse(""), refusal);
    }
    return ofFailure("opening it failed", failure);
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wrapper =
        failure instanceof ServiceConfigurationError
            || failure instanceof ExceptionInInitializerError;
    return wrapper && cause != null ? rootOf(cause) : failure;
  }

  private static String textOf(Throwable failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    if (lacksLibrary(failure)) {
      return "a native library is missing: " + message;
    }
    return switch (failure) {
      case RelaxException own -> own.getMessage();
      case UnsupportedClassVersionError _ -> "it was built for a newer Java: " + message;
      case NoClassDefFoundError _
          when failure.getCause() instanceof ExceptionInInitializerError first ->
          // The second use of a class whose initialiser failed; the JVM kept the first failure.
          "class " + lastWord(message) + " failed before: " + first.getMessage();
      case NoClassDefFoundError _ -> "class " + message.replace('/', '.') + " is missing";
      case ClassNotFoundException _ -> "class " + message + " is missing";
      case ServiceConfigurationError _ -> ofServiceLoader(message);
      case NoSuchMethodException _ when message.endsWith(".<init>()") ->
          "it has no public constructor without parameters";
      case AbstractMethodError _ -> "its class does not implement the method";
      case UnsatisfiedLinkError _ -> "no native library has the method " + message;
      default -> failure.getClass().getName() + (message.isEmpty() ? "" : ": " + message);
    };
  }

  /** The JVM's words after the name of the interface; the two frequent ones in plainer words. */
  private static String ofServiceLoader(String message) {
    String fault = message.substring(message.indexOf(": ") + 1).strip();
    if (fault.startsWith("Provider ") && fault.endsWith(" not found")) {
      return "META-INF/services lists a class that is missing";
    }
    if (fault.endsWith(" not a subtype")) {
      return "META-INF/services lists a class that does not implement the interface";
    }
    return fault;
  }

  private static String remedyOf(Throwable failure) {
    if (lacksLibrary(failure)) {
      return "install the library for "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
          + ", or name its folder in LD_LIBRARY_PATH and in -Djava.library.path, which ./relaxvm"
          + " takes from RELAXVM_JAVA_OPTS";
    }
    return switch (failure) {
      case UnsupportedClassVersionError _ -> "run a newer Java, or " + REPLACE;
      case NoClassDefFoundError _ when failure.getCause() instanceof ExceptionInInitializerError ->
          REPLACE;
      case NoClassDefFoundError _ -> "add the jar or module that holds the class, or " + REPLACE;
      case ClassNotFoundException _ -> "add the jar or module that holds the class, or " + REPLACE;
      case IllegalCallerException _ -> "allow native access with --enable-native-access";
      case IncompatibleClassChangeError _ -> "use a jar built for this version of RelaxVM";
      default -> REPLACE;
    };
  }

  /** Whether a native library could not be found or loaded, by either of Java's two ways. */
  private static boolean lacksLibrary(Throwable failure) {
    return switch (failure) {
      // Of a method that is not in a library that was loaded, the message is its quoted signature.
      case UnsatisfiedLinkError _ -> !String.valueOf(failure.getMessage()).startsWith("'");
      case IllegalArgumentException _ ->
          Arrays.stream(failure.getStackTrace())
              .anyMatch(
                  frame ->
                      frame.getClassName().equals(SymbolLookup.class.getName())
                          && frame.getMethodName().equals("libraryLookup"));
      default -> false;
    };
  }

  private static String lastWord(String text) {
    return text.substring(text.lastIndexOf(' ') + 1);
  }
}
