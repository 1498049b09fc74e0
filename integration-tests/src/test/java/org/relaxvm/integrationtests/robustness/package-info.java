/** That no failure, no thread and no lack of memory breaks a virtual machine. */
@NullMarked
package org.relaxvm.integrationtests.robustness;

import org.jspecify.annotations.NullMarked;
