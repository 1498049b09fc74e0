/**
 * The interpreter against a second evaluator that is too simple to be wrong in the same way, on
 * random valid programs.
 *
 * <p>Start reading at {@link org.relaxvm.integrationtests.differential.DifferentialTest}.
 */
@NullMarked
package org.relaxvm.integrationtests.differential;

import org.jspecify.annotations.NullMarked;
