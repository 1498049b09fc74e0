package org.relaxvm.api.registry;

import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;

/** Why a provider cannot be used, in words for the user. */
record Problem(Diagnosis.State state, String detail, String remedy, @Nullable Throwable cause) {
  private static final String REPLACE = "replace or remove the jar";

  /** A jar that breaks a rule of the SPI. */
  static Problem broken(String detail, String remedy) {
    return new Problem(Diagnosis.State.BROKEN, detail, remedy, null);
  }

  /** A call into the jar that failed. */
  static Problem ofFailure(String doing, Throwable failure) {
    Throwable root = rootOf(failure);
    String prefix = doing.isEmpty() ? "" : doing + ": ";
    return new Problem(Diagnosis.State.BROKEN, prefix + textOf(root), remedyOf(root), failure);
  }

  /** A backend that was asked to open and refused: with a reason of its own, or by failing. */
  static Problem ofOpen(Throwable failure) {
    if (failure instanceof RelaxException refusal) {
      return new Problem(Diagnosis.State.UNUSABLE, refusal.getMessage(), "", refusal);
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
    return switch (failure) {
      case RelaxException own -> own.getMessage();
      case UnsupportedClassVersionError _ -> "it was built for a newer Java: " + message;
      case NoClassDefFoundError _ -> "class " + message.replace('/', '.') + " is missing";
      case ClassNotFoundException _ -> "class " + message + " is missing";
      case ServiceConfigurationError _ -> message.substring(message.indexOf(": ") + 1).strip();
      default -> failure.getClass().getName() + (message.isEmpty() ? "" : ": " + message);
    };
  }

  private static String remedyOf(Throwable failure) {
    return switch (failure) {
      case UnsupportedClassVersionError _ -> "run a newer Java, or " + REPLACE;
      case NoClassDefFoundError _ -> "add the jar or module that holds the class, or " + REPLACE;
      case ClassNotFoundException _ -> "add the jar or module that holds the class, or " + REPLACE;
      case IncompatibleClassChangeError _ -> "use a jar built for this version of RelaxVM";
      default -> REPLACE;
    };
  }
}
