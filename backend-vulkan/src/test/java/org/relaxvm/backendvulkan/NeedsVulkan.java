package org.relaxvm.backendvulkan;

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
 * Tests that use a device of Vulkan. Without one they are skipped, and say so; where {@code
 * RELAXVM_REQUIRE_DEVICES} has {@code vulkan} they run and fail.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsVulkan.Condition.class)
public @interface NeedsVulkan {
  /** Looks for a device. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String required = System.getenv().getOrDefault("RELAXVM_REQUIRE_DEVICES", "");
      if (Arrays.asList(required.split("\\s*,\\s*")).contains(VulkanBackend.NAME)) {
        return ConditionEvaluationResult.enabled("this machine must have Vulkan");
      }
      try {
        new VulkanBackendProvider().open().close();
        return ConditionEvaluationResult.enabled("a device was found");
      } catch (BackendException e) {
        System.out.println(context.getDisplayName() + " skipped: " + e.getMessage());
        return ConditionEvaluationResult.disabled(e.getMessage());
      }
    }
  }
}
