/** What calls of kernels give a driver. */
@NullMarked
package org.relaxvm.backendsupport.gpu.module;

import org.jspecify.annotations.NullMarked;
