package org.relaxvm.backendcuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.relaxvm.api.error.BackendException;

/**
 * Tests that use a GPU of NVIDIA. Without one they are skipped, and say so; where {@code
 * RELAXVM_REQUIRE_DEVICES} contains {@code cuda} they run and fail.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCuda.Condition.class)
public @interface NeedsCuda {
  /** Looks for a device. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String required = System.getenv().getOrDefault("RELAXVM_REQUIRE_DEVICES", "");
      if (Arrays.asList(required.split("\\s*,\\s*")).contains(CudaBackend.NAME)) {
        return ConditionEvaluationResult.enabled("this machine must have a GPU of NVIDIA");
      }
      try {
        new CudaBackendProvider().open().close();
        return ConditionEvaluationResult.enabled("a device was found");
      } catch (BackendException e) {
        System.out.println(context.getDisplayName() + " skipped: " + e.getMessage());
        return ConditionEvaluationResult.disabled(e.getMessage());
      }
    }
  }
}
