/** What calls of kernels give a driver. */
@NullMarked
package org.relaxvm.backendsupport.gpu.run;

import org.jspecify.annotations.NullMarked;
