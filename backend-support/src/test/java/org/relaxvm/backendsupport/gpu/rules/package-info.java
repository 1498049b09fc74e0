/** Tests of the schedules. */
@NullMarked
package org.relaxvm.backendsupport.gpu.rules;

import org.jspecify.annotations.NullMarked;
