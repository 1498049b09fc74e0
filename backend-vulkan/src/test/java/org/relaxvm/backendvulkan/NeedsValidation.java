package org.relaxvm.backendvulkan;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** Tests that use the validation layer with a device, as {@link NeedsVulkan} says. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsValidation.Condition.class)
public @interface NeedsValidation {
  /** Looks for both. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String before = System.getProperty(Vulkan.VALIDATION, "false");
      System.setProperty(Vulkan.VALIDATION, "true");
      try {
        return new NeedsVulkan.Condition().evaluateExecutionCondition(context);
      } finally {
        System.setProperty(Vulkan.VALIDATION, before);
      }
    }
  }
}
